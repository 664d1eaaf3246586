package flotsam.judge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** Kafka's own UnifiedLog, whichever language it is written in. */
public interface Log {
    /** What one local segment is, as Kafka sees it. */
    record Segment(long base, long size) {
    }

    long start();

    long localStart();

    long end();

    long highWatermark();

    long highestRemote();

    List<Segment> segments();

    NavigableMap<Integer, Long> epochs();

    void append(ByteBuffer batches, int epoch);

    void roll() throws IOException;

    /** The producer snapshot at this offset, which a roll has written, is gone. */
    void loseSnapshot(long offset) throws IOException;

    void assignEpoch(int epoch, long start);

    void setHighWatermark(long offset) throws IOException;

    /** As a DeleteRecords request does it. */
    void incrementStart(long offset) throws IOException;

    /** As the broker does it for the RemoteLogManager. */
    void raiseStartFromRemote(long offset);

    void seedHighestRemote(long offset);

    void configure(Map<String, String> topic);

    int deleteOldSegments() throws IOException;

    void close();
}
