package flotsam.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A script as text: tests/conformance/README.md says what its lines mean. */
final class Script {
    private static final Set<String> SET_UP = Set.of("topic", "broker", "epochs", "segment", "active", "high-watermark",
        "log-start", "remote", "seeded");

    final String file;
    final String name;
    final List<Line> setUp = new ArrayList<>();
    final List<Line> actions = new ArrayList<>();
    long clock = 1_000_000_000_000L;
    private final List<String> versions = new ArrayList<>();

    record Line(int number, String text, List<String> words) {
        static Line of(int number, String text) {
            return new Line(number, text, List.of(text.split("\\s+")));
        }
    }

    static Script read(Path path) throws IOException {
        return new Script(path.getFileName().toString(), Files.readAllLines(path));
    }

    Script(String file, List<String> lines) {
        this.file = file;
        name = file.substring(0, file.length() - ".script".length());
        boolean hasTitle = false;
        boolean hasSource = false;
        boolean inSetUp = true;
        int number = 0;
        for (String raw : lines) {
            ++number;
            int comment = comment(raw);
            String text = (comment < 0 ? raw : raw.substring(0, comment)).strip();
            if (text.isEmpty()) {
                continue;
            }
            Line line = Line.of(number, text);
            String word = line.words.get(0);
            switch (word) {
                case "title" -> hasTitle = true;
                case "source" -> hasSource = true;
                case "versions" -> versions.addAll(line.words.subList(1, line.words.size()));
                case "clock" -> clock = new Words(this, line).skip(1).integer("milliseconds");
                default -> {
                    // Some words mean the same before and after the first action.
                    inSetUp = inSetUp && SET_UP.contains(word);
                    (inSetUp ? setUp : actions).add(line);
                }
            }
        }
        if (!hasTitle || !hasSource) {
            throw new ScriptError(this, 1, "a script begins with a title and a source");
        }
    }

    /** A `#` begins a comment, unless it names a copy: `#1`. */
    private static int comment(String raw) {
        for (int at = raw.indexOf('#'); at >= 0; at = raw.indexOf('#', at + 1)) {
            boolean isName = at + 1 < raw.length() && Character.isDigit(raw.charAt(at + 1));
            if (!isName) {
                return at;
            }
        }
        return -1;
    }

    boolean isFor(String version) {
        return versions.isEmpty() || versions.contains(version);
    }
}
