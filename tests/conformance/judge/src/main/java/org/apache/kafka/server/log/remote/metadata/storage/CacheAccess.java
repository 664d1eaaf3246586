package org.apache.kafka.server.log.remote.metadata.storage;

import java.util.Iterator;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** Kafka's cache of one partition, from its own package because newer versions hide what one asks it. */
public final class CacheAccess {
    private final RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
    private final RemotePartitionMetadataStore store = new RemotePartitionMetadataStore();
    private final TopicIdPartition partition;

    public CacheAccess(TopicIdPartition partition) {
        this.partition = partition;
        store.maybeLoadPartition(partition);
        store.markInitialized(partition);
    }

    /** The record goes through Kafka's own serialisation, as through the topic. False when the cache dropped it. */
    public boolean apply(RemoteLogMetadata record) throws RemoteStorageException {
        RemoteLogMetadata read = serde.deserialize(serde.serialize(record));
        if (read instanceof RemoteLogSegmentMetadata started) {
            store.handleRemoteLogSegmentMetadata(started);
            return find(started.remoteLogSegmentId()) == started;
        }
        RemoteLogSegmentMetadataUpdate update = (RemoteLogSegmentMetadataUpdate) read;
        // The cache makes a new object of whatever it applies, so the same object means that it applied nothing.
        RemoteLogSegmentMetadata before = find(update.remoteLogSegmentId());
        store.handleRemoteLogSegmentMetadataUpdate(update);
        return find(update.remoteLogSegmentId()) != before;
    }

    private RemoteLogSegmentMetadata find(RemoteLogSegmentId id) throws RemoteStorageException {
        Iterator<RemoteLogSegmentMetadata> all = list();
        while (all.hasNext()) {
            RemoteLogSegmentMetadata metadata = all.next();
            if (metadata.remoteLogSegmentId().equals(id)) {
                return metadata;
            }
        }
        return null;
    }

    public boolean isReady() {
        return store.isInitialized(partition);
    }

    public Iterator<RemoteLogSegmentMetadata> list() throws RemoteStorageException {
        return store.listRemoteLogSegments(partition);
    }

    public Iterator<RemoteLogSegmentMetadata> list(int epoch) throws RemoteStorageException {
        return store.listRemoteLogSegments(partition, epoch);
    }

    public Optional<RemoteLogSegmentMetadata> at(int epoch, long offset) throws RemoteStorageException {
        return store.remoteLogSegmentMetadata(partition, offset, epoch);
    }

    public Optional<Long> highestOffset(int epoch) throws RemoteStorageException {
        return store.highestLogOffset(partition, epoch);
    }
}
