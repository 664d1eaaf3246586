package flotsam.judge;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import kafka.log.UnifiedLog;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import scala.Option;

/** Kafka's UnifiedLog behind the names that the driver uses. */
public final class JudgedLog implements Log {
    public final UnifiedLog kafka;

    public JudgedLog(Parts parts, File directory, Map<String, String> topic, long start) throws IOException {
        kafka = open(parts, directory, topic, start);
    }

    /** The map of remaining segments has another element type in every Scala version of the log. */
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static UnifiedLog open(Parts parts, File directory, Map<String, String> topic, long start) {
        ConcurrentMap remaining = new ConcurrentHashMap();
        return UnifiedLog.apply(directory, Parts.logConfig(topic), start, start, new IdleScheduler(), parts.stats,
            parts.clock, 900_000, new ProducerStateManagerConfig(86_400_000, false), 600_000,
            new LogDirFailureChannel(1), true, Option.apply(Parts.PARTITION.topicId()), false, remaining, true,
            LogOffsetsListener.NO_OP_OFFSETS_LISTENER);
    }

    @Override
    public long start() {
        return kafka.logStartOffset();
    }

    @Override
    public long localStart() {
        return kafka.localLogStartOffset();
    }

    @Override
    public long end() {
        return kafka.logEndOffset();
    }

    @Override
    public long highWatermark() {
        return kafka.highWatermark();
    }

    @Override
    public long highestRemote() {
        return kafka.highestOffsetInRemoteStorage();
    }

    @Override
    public List<Segment> segments() {
        List<Segment> segments = new ArrayList<>();
        for (LogSegment segment : kafka.logSegments()) {
            segments.add(new Segment(segment.baseOffset(), segment.size()));
        }
        return segments;
    }

    private LeaderEpochFileCache cache() {
        Object cache = kafka.leaderEpochCache();
        return (LeaderEpochFileCache) (cache instanceof Option<?> option ? option.get() : cache);
    }

    @Override
    public NavigableMap<Integer, Long> epochs() {
        return cache().epochWithOffsets();
    }

    @Override
    public void append(ByteBuffer batches, int epoch) {
        kafka.appendAsFollower(Records.of(batches), epoch);
    }

    @Override
    public void roll() {
        kafka.roll(Option.empty());
    }

    @Override
    public void loseSnapshot(long offset) throws IOException {
        kafka.producerStateManager().removeAndMarkSnapshotForDeletion(offset);
    }

    @Override
    public void assignEpoch(int epoch, long start) {
        cache().assign(epoch, start);
    }

    @Override
    public void setHighWatermark(long offset) {
        kafka.updateHighWatermark(offset);
    }

    @Override
    public void incrementStart(long offset) {
        kafka.maybeIncrementLogStartOffset(offset, LogStartOffsetIncrementReason.ClientRecordDeletion);
    }

    @Override
    public void raiseStartFromRemote(long offset) {
        kafka.updateLogStartOffsetFromRemoteTier(offset);
    }

    @Override
    public void seedHighestRemote(long offset) {
        kafka.updateHighestOffsetInRemoteStorage(offset);
    }

    @Override
    public void configure(Map<String, String> topic) {
        kafka.updateConfig(Parts.logConfig(topic));
    }

    @Override
    public int deleteOldSegments() {
        return kafka.deleteOldSegments();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
