package flotsam.judge;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What stands before the first action of a script, and the real log that is made of it. */
final class SetUp {
    final Map<String, String> topic = new HashMap<>();
    final Map<String, String> broker = new HashMap<>();
    final List<Script.Line> remotes = new ArrayList<>();
    NavigableMap<Integer, Long> epochs = new TreeMap<>(Map.of(0, 0L));

    private record Segment(Script.Line line, long start, long end, int size, long timestamp) {
    }

    private final Script script;
    private final List<Segment> segments = new ArrayList<>();
    private Segment active;
    private Long highWatermark;
    private Long logStart;
    private Long seeded;

    SetUp(Script script) {
        this.script = script;
        for (Script.Line line : script.setUp) {
            read(line);
        }
        if (active == null) {
            throw new ScriptError(script, 1, "there is no active segment");
        }
    }

    private void read(Script.Line line) {
        Words words = new Words(script, line);
        switch (words.word("a word")) {
            case "topic" -> topic.putAll(words.options());
            case "broker" -> broker.putAll(words.options());
            case "epochs" -> epochs = words.restAsEpochs();
            case "segment" -> readSegment(words, line, false);
            case "active" -> readSegment(words, line, true);
            case "high-watermark" -> highWatermark = words.integer("an offset");
            case "log-start" -> logStart = words.integer("an offset");
            case "seeded" -> seeded = words.integer("an offset");
            default -> {
                remotes.add(line);
                return;
            }
        }
        words.end();
    }

    private void readSegment(Words words, Script.Line line, boolean isActive) {
        if (active != null) {
            throw words.error("the active segment is the last one");
        }
        long start = words.integer("START");
        long end = isActive && (words.isEmpty() || words.atOption()) ? start - 1 : words.integer("END");
        Map<String, String> options = words.options("size", "ts");
        if (end >= start && !options.containsKey("size")) {
            throw words.error("size=N is missing");
        }
        int size = end < start ? 0 : (int) words.integer("size", options.get("size"));
        long timestamp = options.containsKey("ts") ? words.integer("ts", options.get("ts")) : script.clock;
        if (!segments.isEmpty() && segments.get(segments.size() - 1).end + 1 != start) {
            throw words.error("the segment before it does not end there");
        }
        Segment segment = new Segment(line, start, end, size, timestamp);
        if (isActive) {
            active = segment;
        } else {
            segments.add(segment);
        }
    }

    /** The segments are appended and closed by Kafka; then the log is opened anew, as after a restart. */
    Log openLog(Parts parts, File directory) throws IOException {
        long first = segments.isEmpty() ? active.start : segments.get(0).start;
        Log written = Kafka.openLog(parts, directory, topic, first);
        for (Segment segment : segments) {
            append(written, segment);
            written.roll();
        }
        if (active.end >= active.start) {
            append(written, active);
        }
        written.close();
        long start = logStart == null ? first : logStart;
        writeEpochs(directory.toPath());
        Log log = Kafka.openLog(parts, directory, topic, start);
        // A log that is opened forgets epochs without records; a script may want one.
        epochs.forEach((epoch, offset) -> {
            if (offset >= log.end()) {
                log.assignEpoch(epoch, offset);
            }
        });
        log.setHighWatermark(highWatermark == null ? log.end() : highWatermark);
        log.incrementStart(start);
        if (seeded != null) {
            log.seedHighestRemote(seeded);
        }
        check(log);
        return log;
    }

    private void check(Log log) {
        List<Log.Segment> made = log.segments();
        for (int at = 0; at < segments.size(); ++at) {
            Segment wanted = segments.get(at);
            if (at >= made.size() || made.get(at).base() != wanted.start || made.get(at).size() != wanted.size) {
                throw new ScriptError(script, wanted.line.number(), "Kafka made another segment of it: " + made);
            }
        }
    }

    private void writeEpochs(Path directory) throws IOException {
        StringBuilder text = new StringBuilder("0\n").append(epochs.size()).append('\n');
        epochs.forEach((epoch, offset) -> text.append(epoch).append(' ').append(offset).append('\n'));
        Files.writeString(directory.resolve("leader-epoch-checkpoint"), text);
    }

    private int epochAt(long offset) {
        int found = epochs.firstKey();
        for (Map.Entry<Integer, Long> entry : epochs.entrySet()) {
            if (entry.getValue() <= offset) {
                found = entry.getKey();
            }
        }
        return found;
    }

    /** One batch for each epoch in the segment, the last of them padded to the segment's size. */
    private void append(Log log, Segment segment) {
        long from = segment.start;
        int left = segment.size;
        while (from <= segment.end) {
            int epoch = epochAt(from);
            Map.Entry<Integer, Long> next = epochs.higherEntry(epoch);
            long to = next == null ? segment.end : Math.min(segment.end, next.getValue() - 1);
            int size = to == segment.end ? left : 100;
            append(script, segment.line, log, from, to, size, epoch, segment.timestamp);
            left -= size;
            from = to + 1;
        }
    }

    static void append(Script script, Script.Line line, Log log, long from, long to, int size, int epoch, long time) {
        ByteBuffer batch = Batch.of(from, to, size, epoch, time);
        if (batch == null) {
            throw new ScriptError(script, line.number(), "no batch of offsets " + from + " to " + to + " has exactly "
                + size + " bytes");
        }
        log.append(batch, epoch);
    }
}
