package flotsam.judge;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** Records of other brokers, as scripts write them. */
final class Copies {
    private static final int OTHER_BROKER = 2;

    private final World world;

    Copies(World world) {
        this.world = world;
    }

    /** A copy from before the script: its records up to its state. */
    void setUp(Script.Line line, NavigableMap<Integer, Long> logEpochs) throws RemoteStorageException {
        Words words = new Words(world.script, line).skip(1);
        RemoteLogSegmentMetadata started = read(words, logEpochs, true);
        String state = new Words(world.script, line).skip(4).options().get("state");
        if (state == null) {
            throw words.error("state=STATE is missing");
        }
        world.metadata.deliver(started);
        List<String> way = switch (state) {
            case "CS" -> List.of();
            case "CF" -> List.of("CF");
            case "DS" -> List.of("DS");
            case "DF" -> List.of("DS", "DF");
            default -> throw words.error("'" + state + "' is no state");
        };
        for (String step : way) {
            world.metadata.deliver(update(started.remoteLogSegmentId(), step, started.brokerId(), Optional.empty()));
        }
    }

    /** `NAME START END size=N …`, a COPY_SEGMENT_STARTED. */
    private RemoteLogSegmentMetadata read(Words words, NavigableMap<Integer, Long> logEpochs, boolean withState) {
        String name = words.word("a name");
        long start = words.integer("START");
        long end = words.integer("END");
        Map<String, String> options = withState ? words.options("size", "state", "epochs", "ts", "broker")
            : words.options("size", "epochs", "ts", "broker");
        if (!options.containsKey("size")) {
            throw words.error("size=N is missing");
        }
        int size = (int) words.integer("size", options.get("size"));
        NavigableMap<Integer, Long> epochs = options.containsKey("epochs") ? words.epochs(options.get("epochs"))
            : between(logEpochs, start, end);
        if (epochs.isEmpty()) {
            throw words.error("the log knows no epoch of these offsets: say epochs=");
        }
        long timestamp = options.containsKey("ts") ? words.integer("ts", options.get("ts"))
            : world.parts.clock.milliseconds();
        int broker = (int) words.integer("broker", options.getOrDefault("broker", "" + OTHER_BROKER));
        RemoteLogSegmentMetadata known = world.copies.get(name);
        RemoteLogSegmentId id = known != null ? known.remoteLogSegmentId()
            : new RemoteLogSegmentId(Parts.PARTITION, Uuid.randomUuid());
        RemoteLogSegmentMetadata started = new RemoteLogSegmentMetadata(id, start, end, timestamp, broker,
            world.parts.clock.milliseconds(), size, epochs);
        world.name(id, name);
        world.copies.put(name, started);
        return started;
    }

    private static NavigableMap<Integer, Long> between(NavigableMap<Integer, Long> epochs, long start, long end) {
        NavigableMap<Integer, Long> between = new TreeMap<>();
        for (Map.Entry<Integer, Long> entry : epochs.entrySet()) {
            Map.Entry<Integer, Long> next = epochs.higherEntry(entry.getKey());
            if (entry.getValue() <= end && (next == null || next.getValue() > start)) {
                between.put(entry.getKey(), Math.max(start, entry.getValue()));
            }
        }
        return between;
    }

    private RemoteLogMetadata update(RemoteLogSegmentId id, String state, int broker,
            Optional<RemoteLogSegmentMetadata.CustomMetadata> custom) {
        return new RemoteLogSegmentMetadataUpdate(id, world.parts.clock.milliseconds(), custom, World.state(state),
            broker);
    }

    /** `foreign`: another broker's record reaches the topic and this cache. */
    void foreign(Words words) throws RemoteStorageException {
        String state = words.choice("a state", "CS", "CF", "DS", "DF");
        if (state.equals("CS")) {
            RemoteLogSegmentMetadata started = read(words, world.parts.log.epochs(), false);
            String details = world.details(started);
            print(state, world.nameOf(started.remoteLogSegmentId()) + details, world.metadata.deliver(started));
            return;
        }
        String name = words.word("a name");
        RemoteLogSegmentMetadata copy = world.copies.get(name);
        if (copy == null) {
            throw words.error("there is no copy '" + name + "'");
        }
        Map<String, String> options = words.options("broker");
        int broker = (int) words.integer("broker", options.getOrDefault("broker", "" + OTHER_BROKER));
        RemoteLogMetadata update = update(copy.remoteLogSegmentId(), state, broker, Optional.empty());
        print(state, name, world.metadata.deliver(update));
    }

    private void print(String state, String what, boolean applied) {
        world.print("publish " + state + " " + what + " -> " + (applied ? "ok" : "dropped"));
    }
}
