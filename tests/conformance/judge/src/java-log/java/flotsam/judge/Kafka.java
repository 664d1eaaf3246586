package flotsam.judge;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.server.log.remote.storage.JudgedManager;
import org.apache.kafka.storage.internals.log.JudgedLog;

/** Makes what is judged, from the packages of this version. */
final class Kafka {
    private Kafka() {
    }

    static Log openLog(Parts parts, File directory, Map<String, String> topic, long start) throws IOException {
        return new JudgedLog(parts, directory, topic, start);
    }

    static Manager manager(Parts parts) throws IOException {
        return new JudgedManager(parts, ((JudgedLog) parts.log).kafka);
    }
}
