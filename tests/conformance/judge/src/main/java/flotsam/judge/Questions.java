package flotsam.judge;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogSegmentMetadataUpdateTransform;
import org.apache.kafka.server.log.remote.metadata.storage.generated.RemoteLogSegmentMetadataUpdateRecord;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** The question lines of a script. */
final class Questions {
    private final World world;

    Questions(World world) {
        this.world = world;
    }

    void answer(String word, Words words) throws RemoteStorageException {
        switch (word) {
            case "show" -> show(words);
            case "transition" -> {
                String from = words.choice("a state", "none", "CS", "CF", "DS", "DF");
                String to = words.choice("a state", "CS", "CF", "DS", "DF");
                world.print("" + RemoteLogSegmentState.isValidTransition(stateOrNull(from), stateOrNull(to)));
            }
            case "state-id" -> stateId((byte) words.integer("an id"));
            case "filtered" -> world.print(Words.text(world.manager.filtered(words.restAsEpochs())));
            case "within" -> within(words);
            default -> throw words.error("'" + word + "' is no action");
        }
    }

    private static RemoteLogSegmentState stateOrNull(String name) {
        return name.equals("none") ? null : World.state(name);
    }

    private void show(Words words) throws RemoteStorageException {
        switch (words.word("what to show")) {
            case "epoch" -> print(world.metadata.listRemoteLogSegments(Parts.PARTITION, words.epoch()));
            case "all" -> print(world.metadata.listRemoteLogSegments(Parts.PARTITION));
            case "highest" -> {
                Optional<Long> highest = world.metadata.highestOffsetForEpoch(Parts.PARTITION, words.epoch());
                world.print(highest.map(Object::toString).orElse("none"));
            }
            case "read" -> {
                int epoch = words.epoch();
                Optional<RemoteLogSegmentMetadata> found = world.metadata.remoteLogSegmentMetadata(Parts.PARTITION,
                    epoch, words.integer("an offset"));
                world.print(found.map(copy -> world.nameOf(copy.remoteLogSegmentId())).orElse("none"));
            }
            case "log" -> {
                Log log = world.parts.log;
                world.print("log: start=" + log.start() + " local-start=" + log.localStart() + " end=" + log.end()
                    + " high-watermark=" + log.highWatermark() + " highest-remote=" + log.highestRemote());
            }
            case "metrics" -> {
                List<String> metrics = Gauges.ofTopic(Parts.PARTITION.topic());
                metrics.forEach(metric -> world.print("metric " + metric));
                if (metrics.isEmpty()) {
                    world.print("none");
                }
            }
            case "throttle" -> world.print(throttle());
            default -> throw words.error("shows epoch, all, highest, read, log, metrics or throttle");
        }
    }

    /** The sensor of how long copies waited for their quota; Kafka makes it with the first wait. */
    private String throttle() {
        String line = "throttle";
        for (String statistic : List.of("avg", "max")) {
            Double value = null;
            for (Map.Entry<MetricName, KafkaMetric> entry : world.parts.metrics.metrics().entrySet()) {
                MetricName name = entry.getKey();
                if (name.group().equals("RemoteLogManager")
                    && name.name().equals("remote-copy-throttle-time-" + statistic)) {
                    value = (Double) entry.getValue().metricValue();
                }
            }
            if (value == null || value.isNaN()) {
                return "none";
            }
            line += " " + statistic + "=" + String.format(Locale.ROOT, "%.3f", value);
        }
        return line;
    }

    private void print(Iterator<RemoteLogSegmentMetadata> copies) {
        List<String> lines = new ArrayList<>();
        copies.forEachRemaining(copy -> lines.add(world.nameOf(copy.remoteLogSegmentId()) + " "
            + World.shortName(copy.state()) + " " + copy.startOffset() + "-" + copy.endOffset() + " size="
            + copy.segmentSizeInBytes() + " broker=" + copy.brokerId() + " custom="
            + copy.customMetadata().map(custom -> custom.value().length).orElse(0)));
        lines.forEach(world::print);
        if (lines.isEmpty()) {
            world.print("none");
        }
    }

    /** What a reader makes of a state that it may not know. */
    private void stateId(byte id) {
        RemoteLogSegmentState state = RemoteLogSegmentState.forId(id);
        world.print("forId " + (state == null ? "null" : World.shortName(state)));
        RemoteLogSegmentId copy = new RemoteLogSegmentId(Parts.PARTITION, new Uuid(2, 2));
        RemoteLogSegmentMetadataUpdate update = new RemoteLogSegmentMetadataUpdate(copy, 0, Optional.empty(),
            RemoteLogSegmentState.COPY_SEGMENT_FINISHED, Parts.BROKER);
        RemoteLogSegmentMetadataUpdateTransform transform = new RemoteLogSegmentMetadataUpdateTransform();
        ApiMessageAndVersion message = transform.toApiMessageAndVersion(update);
        ((RemoteLogSegmentMetadataUpdateRecord) message.message()).setRemoteLogSegmentState(id);
        try {
            world.print("decode " + World.shortName(transform.fromApiMessageAndVersion(message).state()));
        } catch (RuntimeException e) {
            world.print("decode " + e.getClass().getSimpleName());
        }
    }

    private void within(Words words) {
        NavigableMap<Integer, Long> epochs = words.epochs(words.word("the segment's epochs"));
        long end = words.integer("END");
        long logEnd = words.integer("LOG-END");
        NavigableMap<Integer, Long> lineage = world.manager.filtered(words.epochs(words.word("the lineage")));
        RemoteLogSegmentId id = new RemoteLogSegmentId(Parts.PARTITION, new Uuid(2, 2));
        // The rule reads the epochs and the end, not the start.
        RemoteLogSegmentMetadata copy = new RemoteLogSegmentMetadata(id, 0, end, 0, Parts.BROKER, 0, 1, epochs);
        world.print("" + world.manager.isWithin(copy, logEnd, lineage));
    }
}
