package flotsam.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.metadata.storage.CacheAccess;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** The metadata topic of one partition: its answers are the script's, its cache is Kafka's. */
final class Metadata implements RemoteLogMetadataManager {
    /** Ends a run that would never end. */
    static final class Spinning extends Error {
    }

    private static final int ASKED_IN_VAIN = 100_000;

    private final World world;
    private final CacheAccess cache = new CacheAccess(Parts.PARTITION);
    /** Records that the topic has and the cache gets at the next action. */
    private final List<RemoteLogMetadata> late = new ArrayList<>();
    /** Ids in order of their COPY_SEGMENT_STARTED. */
    private final Map<Uuid, Integer> order = new HashMap<>();

    Metadata(World world) {
        this.world = world;
    }

    /** A record of another broker; false when the cache dropped it. */
    boolean deliver(RemoteLogMetadata record) throws RemoteStorageException {
        note(record);
        return cache.apply(record);
    }

    void deliverLate() throws RemoteStorageException {
        for (RemoteLogMetadata record : late) {
            cache.apply(record);
        }
        late.clear();
    }

    private void note(RemoteLogMetadata record) {
        if (record instanceof RemoteLogSegmentMetadata started) {
            order.putIfAbsent(started.remoteLogSegmentId().id(), order.size());
        }
    }

    @Override
    public CompletableFuture<Void> addRemoteLogSegmentMetadata(RemoteLogSegmentMetadata started)
            throws RemoteStorageException {
        String details = world.details(started);
        return publish(started, started.remoteLogSegmentId(), RemoteLogSegmentState.COPY_SEGMENT_STARTED, details);
    }

    @Override
    public CompletableFuture<Void> updateRemoteLogSegmentMetadata(RemoteLogSegmentMetadataUpdate update)
            throws RemoteStorageException {
        return publish(update, update.remoteLogSegmentId(), update.state(), "");
    }

    private CompletableFuture<Void> publish(RemoteLogMetadata record, RemoteLogSegmentId id,
            RemoteLogSegmentState state, String details) throws RemoteStorageException {
        String point = "publish " + World.shortName(state);
        world.printChanges();
        String outcome;
        boolean interrupted = false;
        try {
            world.arrive(point);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        outcome = world.outcomes.take(point);
        interrupted = interrupted || Thread.currentThread().isInterrupted();
        boolean applied = true;
        if (!outcome.equals("refused")) {
            note(record);
            if (outcome.equals("late")) {
                late.add(record);
            } else {
                applied = cache.apply(record);
            }
        }
        if (interrupted) {
            outcome = "interrupted";
        } else if (!applied && outcome.equals("ok")) {
            outcome = "dropped";
        }
        world.print(point + " " + world.nameOf(id) + details + " -> " + outcome);
        return answer(outcome);
    }

    private static CompletableFuture<Void> answer(String outcome) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        switch (outcome) {
            case "ok", "dropped" -> future.complete(null);
            // The caller waits for a future that is not done, and so meets its interrupt.
            case "interrupted" -> Thread.currentThread().interrupt();
            default -> future.completeExceptionally(new KafkaException(outcome));
        }
        return future;
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> remoteLogSegmentMetadata(TopicIdPartition partition, int epoch,
            long offset) throws RemoteStorageException {
        return cache.at(epoch, offset);
    }

    @Override
    public Optional<Long> highestOffsetForEpoch(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        return cache.highestOffset(epoch);
    }

    /** The cache's list has no order at all; here it has one. */
    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition)
            throws RemoteStorageException {
        List<RemoteLogSegmentMetadata> list = new ArrayList<>();
        cache.list().forEachRemaining(list::add);
        list.sort(byOrder());
        return list.iterator();
    }

    /** Among unreferenced copies with one start offset the cache's order is that of a hash set over random ids. */
    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition, int epoch)
            throws RemoteStorageException {
        List<RemoteLogSegmentMetadata> list = new ArrayList<>();
        cache.list(epoch).forEachRemaining(list::add);
        List<RemoteLogSegmentMetadata> sorted = new ArrayList<>();
        for (int begin = 0; begin < list.size();) {
            List<RemoteLogSegmentMetadata> unreferenced = new ArrayList<>();
            int end = begin;
            for (; end < list.size() && list.get(end).startOffset() == list.get(begin).startOffset(); ++end) {
                (isReferenced(list.get(end), epoch) ? sorted : unreferenced).add(list.get(end));
            }
            unreferenced.sort(byOrder());
            sorted.addAll(unreferenced);
            begin = end;
        }
        return watched(sorted.iterator());
    }

    /** Kafka's walk over a list may never end: a run that asks again and again and takes nothing is told apart here. */
    private static Iterator<RemoteLogSegmentMetadata> watched(Iterator<RemoteLogSegmentMetadata> list) {
        return new Iterator<>() {
            private int asked;

            @Override
            public boolean hasNext() {
                if (++asked > ASKED_IN_VAIN) {
                    throw new Spinning();
                }
                return list.hasNext();
            }

            @Override
            public RemoteLogSegmentMetadata next() {
                asked = 0;
                return list.next();
            }
        };
    }

    private boolean isReferenced(RemoteLogSegmentMetadata copy, int epoch) throws RemoteStorageException {
        long key = copy.segmentLeaderEpochs().get(epoch);
        Optional<RemoteLogSegmentMetadata> found = cache.at(epoch, key);
        return found.isPresent() && found.get().remoteLogSegmentId().equals(copy.remoteLogSegmentId());
    }

    private Comparator<RemoteLogSegmentMetadata> byOrder() {
        return Comparator.comparing(copy -> order.get(copy.remoteLogSegmentId().id()));
    }

    /** Absent in older versions, which ask nobody. */
    public boolean isReady(TopicIdPartition partition) {
        return cache.isReady();
    }

    @Override
    public CompletableFuture<Void> putRemotePartitionDeleteMetadata(RemotePartitionDeleteMetadata metadata) {
        throw new UnsupportedOperationException("no version publishes these");
    }

    @Override
    public void onPartitionLeadershipChanges(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
    }

    @Override
    public void onStopPartitions(Set<TopicIdPartition> partitions) {
    }

    @Override
    public long remoteLogSize(TopicIdPartition partition, int epoch) {
        throw new UnsupportedOperationException("no task asks for it");
    }

    @Override
    public void configure(Map<String, ?> configs) {
    }

    @Override
    public void close() {
    }
}
