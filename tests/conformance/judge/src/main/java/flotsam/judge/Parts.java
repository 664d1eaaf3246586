package flotsam.judge;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.apache.kafka.storage.internals.log.LogConfig;

/** What a RemoteLogManager and a UnifiedLog are made of; the same in every version. */
public final class Parts {
    public static final int BROKER = 1;
    public static final TopicIdPartition PARTITION = new TopicIdPartition(new Uuid(1, 1), new TopicPartition("t", 0));

    public final Clock clock;
    public final String directory;
    public final Stats stats = new Stats();
    public final Metrics metrics;
    public final RemoteLogManagerConfig config;
    public RemoteStorageManager storage;
    public RemoteLogMetadataManager metadata;
    public Log log;

    Parts(Clock clock, String directory, Map<String, String> broker) {
        this.clock = clock;
        this.directory = directory;
        this.metrics = new Metrics(clock);
        Map<String, Object> all = new HashMap<>(broker);
        all.put(RemoteLogManagerConfig.REMOTE_LOG_STORAGE_SYSTEM_ENABLE_PROP, "true");
        all.put(RemoteLogManagerConfig.REMOTE_STORAGE_MANAGER_CLASS_NAME_PROP, "scripted");
        all.put(RemoteLogManagerConfig.REMOTE_LOG_METADATA_MANAGER_CLASS_NAME_PROP, "scripted");
        config = new RemoteLogManagerConfig(new AbstractConfig(RemoteLogManagerConfig.configDef(), all, false));
    }

    /** The wait of a copy for its quota: the script's clock moves by it, the real one hardly. */
    public java.time.Duration quotaWait(java.time.Duration wait) {
        clock.advance(wait.toMillis());
        return java.time.Duration.ofMillis(1);
    }

    public static LogConfig logConfig(Map<String, String> topic) {
        Map<String, String> all = new HashMap<>();
        all.put("remote.storage.enable", "true");
        all.put("retention.ms", "-1");
        all.put("retention.bytes", "-1");
        // Segments close where the script says; Kafka's age limit would close them by their timestamps too.
        all.put("segment.ms", Long.toString(Long.MAX_VALUE));
        all.putAll(topic);
        // Newer versions refuse small segments under the public name.
        if (all.containsKey("segment.bytes") && LogConfig.configNames().contains("internal.segment.bytes")) {
            all.put("internal.segment.bytes", all.remove("segment.bytes"));
        }
        return new LogConfig(all);
    }
}
