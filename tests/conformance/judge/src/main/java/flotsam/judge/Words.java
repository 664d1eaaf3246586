package flotsam.judge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/** The words of one line, read in order; whatever does not fit is a ScriptError of that line. */
final class Words {
    private final Script script;
    private final Script.Line line;
    private int next;

    Words(Script script, Script.Line line) {
        this.script = script;
        this.line = line;
    }

    ScriptError error(String what) {
        return new ScriptError(script, line.number(), what);
    }

    Words skip(int count) {
        next += count;
        return this;
    }

    boolean isEmpty() {
        return next == line.words().size();
    }

    boolean atOption() {
        return !isEmpty() && line.words().get(next).contains("=");
    }

    String word(String what) {
        if (isEmpty()) {
            throw error(what + " is missing");
        }
        return line.words().get(next++);
    }

    String choice(String what, String... names) {
        String word = word(what);
        if (!List.of(names).contains(word)) {
            throw error("'" + word + "' is none of " + String.join(", ", names));
        }
        return word;
    }

    long integer(String what) {
        return integer(what, word(what));
    }

    long integer(String what, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw error(what + " is a number, not '" + text + "'");
        }
    }

    int epoch() {
        return Math.toIntExact(integer("an epoch"));
    }

    NavigableMap<Integer, Long> epochs(String text) {
        NavigableMap<Integer, Long> epochs = new TreeMap<>();
        for (String entry : text.split(",")) {
            String[] parts = entry.split(":");
            if (parts.length != 2) {
                throw error("an epoch is EPOCH:OFFSET, not '" + entry + "'");
            }
            epochs.put((int) integer("an epoch", parts[0]), integer("an offset", parts[1]));
        }
        return epochs;
    }

    /** The rest of the line, each word some epochs. */
    NavigableMap<Integer, Long> restAsEpochs() {
        NavigableMap<Integer, Long> epochs = new TreeMap<>();
        do {
            epochs.putAll(epochs(word("EPOCH:OFFSET")));
        } while (!isEmpty());
        return epochs;
    }

    /** The rest of the line as KEY=VALUE; an empty `valid` allows every key. */
    Map<String, String> options(String... valid) {
        Map<String, String> options = new LinkedHashMap<>();
        while (!isEmpty()) {
            String word = word("an option");
            int equals = word.indexOf('=');
            String key = equals < 0 ? word : word.substring(0, equals);
            if (equals < 0 || valid.length > 0 && !List.of(valid).contains(key)) {
                throw error("'" + word + "' is no option here");
            }
            if (options.put(key, word.substring(equals + 1)) != null) {
                throw error(key + " stands twice");
            }
        }
        return options;
    }

    void end() {
        if (!isEmpty()) {
            throw error("'" + line.words().get(next) + "' is one word too many");
        }
    }

    static String text(Map<Integer, Long> epochs) {
        StringJoiner text = new StringJoiner(",");
        epochs.forEach((epoch, offset) -> text.add(epoch + ":" + offset));
        return text.toString();
    }
}
