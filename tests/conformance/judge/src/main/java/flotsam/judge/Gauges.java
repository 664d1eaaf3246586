package flotsam.judge;

import com.yammer.metrics.core.Gauge;
import com.yammer.metrics.core.Meter;
import com.yammer.metrics.core.Metric;
import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;

/** The topic's meters and gauges, as JMX would show them. */
final class Gauges {
    private static final List<String> NAMES = List.of("RemoteCopyBytesPerSec", "RemoteCopyRequestsPerSec",
        "RemoteCopyErrorsPerSec", "RemoteDeleteRequestsPerSec", "RemoteDeleteErrorsPerSec", "RemoteFetchBytesPerSec",
        "RemoteFetchRequestsPerSec", "RemoteFetchErrorsPerSec", "BuildRemoteLogAuxStateRequestsPerSec",
        "BuildRemoteLogAuxStateErrorsPerSec", "RemoteCopyLagBytes", "RemoteCopyLagSegments", "RemoteDeleteLagBytes",
        "RemoteDeleteLagSegments", "RemoteLogMetadataCount", "RemoteLogSizeBytes", "RemoteLogSizeComputationTime");

    private Gauges() {
    }

    /** `NAME VALUE` of those that are not 0. */
    static List<String> ofTopic(String topic) {
        Map<MetricName, Metric> all = KafkaYammerMetrics.defaultRegistry().allMetrics();
        List<String> lines = new ArrayList<>();
        for (String name : NAMES) {
            for (Map.Entry<MetricName, Metric> entry : all.entrySet()) {
                MetricName key = entry.getKey();
                boolean isTopics = key.getScope() != null && key.getScope().equals("topic." + topic);
                if (!key.getType().equals("BrokerTopicMetrics") || !key.getName().equals(name) || !isTopics) {
                    continue;
                }
                long value = entry.getValue() instanceof Meter meter ? meter.count()
                    : ((Number) ((Gauge<?>) entry.getValue()).value()).longValue();
                if (value != 0) {
                    lines.add(name + " " + value);
                }
            }
        }
        return lines;
    }

    /** The registry is one for the whole process; the next script begins without any. */
    static void clear() {
        MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();
        for (MetricName name : new ArrayList<>(registry.allMetrics().keySet())) {
            registry.removeMetric(name);
        }
    }
}
