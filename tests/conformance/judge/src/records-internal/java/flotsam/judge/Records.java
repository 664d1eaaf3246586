package flotsam.judge;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Gives one name to a class that moved between Kafka's versions. */
public final class Records {
    private Records() {
    }

    public static MemoryRecords of(ByteBuffer batches) {
        return MemoryRecords.readableRecords(batches);
    }
}
