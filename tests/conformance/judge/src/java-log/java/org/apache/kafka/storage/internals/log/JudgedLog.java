package org.apache.kafka.storage.internals.log;

import flotsam.judge.IdleScheduler;
import flotsam.judge.Log;
import flotsam.judge.Parts;
import flotsam.judge.Records;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;

/** Kafka's UnifiedLog behind the names that the driver uses. */
public final class JudgedLog implements Log {
    public final UnifiedLog kafka;

    public JudgedLog(Parts parts, File directory, Map<String, String> topic, long start) throws IOException {
        kafka = UnifiedLog.create(directory, Parts.logConfig(topic), start, start, new IdleScheduler(), parts.stats,
            parts.clock, 900_000, new ProducerStateManagerConfig(86_400_000, false), 600_000,
            new LogDirFailureChannel(1), true, Optional.of(Parts.PARTITION.topicId()), new ConcurrentHashMap<>(), true,
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
        return kafka.leaderEpochCache();
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
    public void roll() throws IOException {
        kafka.roll(Optional.empty());
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
    public void setHighWatermark(long offset) throws IOException {
        kafka.updateHighWatermark(offset);
    }

    @Override
    public void incrementStart(long offset) throws IOException {
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
    public int deleteOldSegments() throws IOException {
        return kafka.deleteOldSegments();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
