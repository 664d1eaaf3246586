package flotsam.judge;

import kafka.server.StopPartition;
import kafka.server.BrokerTopicStats;
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
