package flotsam.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;

/**
 * `SEED COUNT OUTPUT VERSION`: makes scripts by chance and what Kafka says of each, for the model to compare with. A
 * line that does not fit (a run that does not stand, a copy that is not there) is left out, and so are answers that no
 * call took; the same seed gives the same scripts.
 */
public final class RandomScripts {
    private static final int ACTIONS = 30;

    private RandomScripts() {
    }

    public static void main(String[] args) throws IOException {
        long seed = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        Path output = Files.createDirectories(Path.of(args[2]));
        String version = args[3];
        int failed = 0;
        for (long number = seed; number < seed + count; ++number) {
            try {
                write(number, output, version);
            } catch (ScriptError e) {
                ++failed;
                System.err.println(e.getMessage());
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void write(long seed, Path output, String version) throws IOException {
        String name = "random-" + version + "-" + seed;
        RandomLines random = new RandomLines(seed);
        List<String> head = new ArrayList<>(List.of("title  Made by chance from seed " + seed, "source none",
            "versions " + version));
        head.addAll(random.setUp());
        Script script = new Script(name + ".script", head);
        List<String> kept = new ArrayList<>();
        int line = 1;
        try (World world = new World(script)) {
            List<String> planned = new ArrayList<>(random.begin());
            for (int i = 0; i < ACTIONS; ++i) {
                planned.addAll(random.action());
            }
            planned.addAll(random.end());
            for (String text : planned) {
                ++line;
                int before = world.lines.size();
                try {
                    world.act(Script.Line.of(line, text));
                    kept.add(text);
                } catch (ScriptError | OffsetOutOfRangeException e) {
                    world.lines.subList(before, world.lines.size()).clear();
                }
            }
            leaveOut(world.outcomes.leftCounts(), kept, "");
            leaveOut(world.outcomes.leftCounts(), world.lines, "> ");
            world.checkEnd(line);
            head.add("");
            head.addAll(kept);
            Files.writeString(output.resolve(name + ".script"), String.join("\n", head) + "\n");
            Files.writeString(output.resolve(name + "." + version + ".golden"), "# kafka " + Main.kafkaVersion() + "\n"
                + String.join("\n", world.lines) + "\n");
        } catch (ScriptError | IOException e) {
            throw e;
        } catch (Exception e) {
            throw new ScriptError(script, line, e);
        }
    }

    /** The answers that are left are the last ones of their call, so nothing changes without them. */
    private static void leaveOut(Map<String, Integer> left, List<String> lines, String prefix) {
        left.forEach((call, count) -> {
            int remaining = count;
            for (int at = lines.size() - 1; at >= 0 && remaining > 0; --at) {
                if (lines.get(at).startsWith(prefix + "next " + call + " ")) {
                    lines.remove(at);
                    --remaining;
                }
            }
        });
    }
}
