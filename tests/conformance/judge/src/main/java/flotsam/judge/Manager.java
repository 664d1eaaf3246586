package flotsam.judge;

import java.util.NavigableMap;
import java.util.function.Consumer;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;

/** Kafka's own RemoteLogManager, in whichever package it lies. */
public interface Manager {
    /** One of its tasks; run() and cancel() are Kafka's. */
    interface Task {
        void run();

        void cancel();
    }

    Task copyTask();

    Task expirationTask();

    Task followerTask();

    /** What it does with the topic's gauges when the broker becomes a follower. */
    void removeMetrics() throws ReflectiveOperationException;

    /** stopPartitions with deletion of local and remote data; `failed` gets what its error handler gets. */
    void stopAndDelete(Consumer<Throwable> failed) throws ReflectiveOperationException;

    NavigableMap<Integer, Long> filtered(NavigableMap<Integer, Long> epochs);

    boolean isWithin(RemoteLogSegmentMetadata copy, long logEnd, NavigableMap<Integer, Long> lineage);

    void close() throws Exception;
}
