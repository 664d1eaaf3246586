package kafka.log.remote;

import flotsam.judge.Manager;
import flotsam.judge.Parts;
import flotsam.judge.Stats;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Consumer;
import kafka.log.UnifiedLog;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/** Kafka's RemoteLogManager between the script's storage, metadata, clock and log. */
public final class JudgedManager implements Manager {
    /** What the overridden factories hand out; Kafka's constructor calls them before this class has any field. */
    private static Parts parts;

    private final Inner kafka;
    private final int customMetadataLimit;

    public JudgedManager(Parts given, UnifiedLog log) throws IOException {
        parts = given;
        kafka = new Inner(given, log);
        customMetadataLimit = given.config.remoteLogMetadataCustomMetadataMaxBytes();
    }

    private static final class Inner extends RemoteLogManager {
        private final Parts given;

        Inner(Parts given, UnifiedLog log) throws IOException {
            super(given.config, Parts.BROKER, given.directory, "cluster", given.clock, partition -> Optional.of(log),
                (partition, offset) -> given.log.raiseStartFromRemote(offset), given.stats, given.metrics);
            this.given = given;
        }

        @Override
        RemoteStorageManager createRemoteStorageManager() {
            return parts.storage;
        }

        @Override
        RemoteLogMetadataManager createRemoteLogMetadataManager() {
            return parts.metadata;
        }

        @Override
        Duration quotaTimeout() {
            return given.quotaWait(super.quotaTimeout());
        }
    }

    private record JudgedTask(RemoteLogManager.RLMTask kafka) implements Task {
        @Override
        public void run() {
            kafka.run();
        }

        @Override
        public void cancel() {
            kafka.cancel();
        }
    }

    @Override
    public Task copyTask() {
        return new JudgedTask(kafka.new RLMCopyTask(Parts.PARTITION, customMetadataLimit));
    }

    @Override
    public Task expirationTask() {
        return new JudgedTask(kafka.new RLMExpirationTask(Parts.PARTITION));
    }

    @Override
    public Task followerTask() {
        return new JudgedTask(kafka.new RLMFollowerTask(Parts.PARTITION));
    }

    @Override
    public void removeMetrics() throws ReflectiveOperationException {
        Method remove = RemoteLogManager.class.getDeclaredMethod("removeRemoteTopicPartitionMetrics",
            Parts.PARTITION.getClass());
        remove.setAccessible(true);
        remove.invoke(kafka, Parts.PARTITION);
    }

    /** Only a change of leadership makes a partition known, and that would start schedules of Kafka's own. */
    @Override
    @SuppressWarnings("unchecked")
    public void stopAndDelete(Consumer<Throwable> failed) throws ReflectiveOperationException {
        Field ids = RemoteLogManager.class.getDeclaredField("topicIdByPartitionMap");
        ids.setAccessible(true);
        ((Map<Object, Object>) ids.get(kafka)).put(Parts.PARTITION.topicPartition(), Parts.PARTITION.topicId());
        kafka.stopPartitions(Stats.stopAndDelete(), (partition, error) -> failed.accept(error));
    }

    @Override
    public NavigableMap<Integer, Long> filtered(NavigableMap<Integer, Long> epochs) {
        return RemoteLogManager.buildFilteredLeaderEpochMap(epochs);
    }

    @Override
    public boolean isWithin(RemoteLogSegmentMetadata copy, long logEnd, NavigableMap<Integer, Long> lineage) {
        return RemoteLogManager.isRemoteSegmentWithinLeaderEpochs(copy, logEnd, lineage);
    }

    @Override
    public void close() throws Exception {
        kafka.close();
    }
}
