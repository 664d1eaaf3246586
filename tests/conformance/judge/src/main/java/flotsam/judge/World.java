package flotsam.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** One script under Kafka: its classes between a storage, a topic and a clock that the script moves. */
final class World implements AutoCloseable {
    final Script script;
    final Parts parts;
    final Metadata metadata = new Metadata(this);
    final Storage storage = new Storage(this);
    final Outcomes outcomes = new Outcomes();
    final Manager manager;
    final Map<String, String> topic;
    final Map<String, Manager.Task> tasks = new HashMap<>();
    final Map<String, Run> runs = new HashMap<>();
    final Map<String, RemoteLogSegmentMetadata> copies = new HashMap<>();
    private final Map<Uuid, String> names = new HashMap<>();
    final List<String> lines = new ArrayList<>();
    private final Path directory;
    private final Actions actions;
    private int copyCount;
    private long printedStart;
    private long printedHighest;

    static List<String> run(Script script) throws IOException {
        int line = 1;
        try (World world = new World(script)) {
            for (Script.Line action : script.actions) {
                line = action.number();
                world.act(action);
            }
            world.checkEnd(line);
            world.checkOutcomes(line);
            return world.lines;
        } catch (ScriptError | IOException e) {
            throw e;
        } catch (Exception e) {
            throw new ScriptError(script, line, e);
        }
    }

    World(Script script) throws Exception {
        Gauges.clear();
        this.script = script;
        directory = Files.createTempDirectory("judge");
        SetUp setUp = new SetUp(script);
        topic = setUp.topic;
        parts = new Parts(new Clock(script.clock), directory.toString(), setUp.broker);
        parts.storage = storage;
        parts.metadata = metadata;
        parts.log = setUp.openLog(parts, directory.resolve("t-0").toFile());
        manager = Kafka.manager(parts);
        printedStart = parts.log.start();
        printedHighest = parts.log.highestRemote();
        Copies reader = new Copies(this);
        for (Script.Line line : setUp.remotes) {
            reader.setUp(line, setUp.epochs);
        }
        actions = new Actions(this);
    }

    void act(Script.Line action) throws Exception {
        metadata.deliverLate();
        lines.add("> " + action.text());
        actions.act(action);
    }

    @Override
    public void close() throws Exception {
        manager.close();
        parts.log.close();
        parts.metrics.close();
        delete(directory);
    }

    void checkEnd(int line) {
        for (Map.Entry<String, Run> run : runs.entrySet()) {
            if (!run.getValue().ended()) {
                throw new ScriptError(script, line, "the " + run.getKey() + " run still stands at the end");
            }
        }
    }

    private void checkOutcomes(int line) {
        if (outcomes.left() != null) {
            throw new ScriptError(script, line, "no call took '" + outcomes.left() + "'");
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    void print(String line) {
        lines.add("  " + line);
    }

    /** What the log moved since it was printed last. */
    void printChanges() {
        long start = parts.log.start();
        if (start != printedStart) {
            print("log-start " + printedStart + " -> " + start);
            printedStart = start;
        }
        long highest = parts.log.highestRemote();
        if (highest != printedHighest) {
            print("highest-remote " + printedHighest + " -> " + highest);
            printedHighest = highest;
        }
    }

    /** A call of a task stands here when the script says so. */
    void arrive(String point) throws InterruptedException {
        Run run = Run.current();
        if (run != null) {
            run.arrive(point);
        }
    }

    void name(RemoteLogSegmentId id, String name) {
        names.put(id.id(), name);
    }

    /** A copy that a task made is named when it is published first. */
    String nameOf(RemoteLogSegmentId id) {
        return names.computeIfAbsent(id.id(), key -> "#" + ++copyCount);
    }

    String details(RemoteLogSegmentMetadata copy) {
        String name = nameOf(copy.remoteLogSegmentId());
        copies.putIfAbsent(name, copy);
        return " " + copy.startOffset() + "-" + copy.endOffset() + " size=" + copy.segmentSizeInBytes() + " epochs="
            + Words.text(copy.segmentLeaderEpochs()) + " broker=" + copy.brokerId();
    }

    static String shortName(RemoteLogSegmentState state) {
        return switch (state) {
            case COPY_SEGMENT_STARTED -> "CS";
            case COPY_SEGMENT_FINISHED -> "CF";
            case DELETE_SEGMENT_STARTED -> "DS";
            case DELETE_SEGMENT_FINISHED -> "DF";
        };
    }

    static RemoteLogSegmentState state(String shortName) {
        for (RemoteLogSegmentState state : RemoteLogSegmentState.values()) {
            if (shortName(state).equals(shortName)) {
                return state;
            }
        }
        throw new IllegalArgumentException(shortName);
    }
}
