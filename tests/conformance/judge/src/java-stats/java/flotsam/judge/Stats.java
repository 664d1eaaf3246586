package flotsam.judge;

import org.apache.kafka.server.common.StopPartition;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import java.util.Set;

/** Gives one name to classes that moved between Kafka's versions. */
public final class Stats extends BrokerTopicStats {
    public Stats() {
        super(true);
    }

    /** Stops the partition and deletes its local and remote data. */
    public static Set<StopPartition> stopAndDelete() {
        return Set.of(new StopPartition(Parts.PARTITION.topicPartition(), true, true, true));
    }
}
