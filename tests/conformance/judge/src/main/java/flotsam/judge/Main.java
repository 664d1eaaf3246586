package flotsam.judge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** `SCRIPTS OUTPUT VERSION`: runs every script of the version and writes OUTPUT/NAME.VERSION.out. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("usage: SCRIPTS OUTPUT VERSION");
            System.exit(64);
        }
        Path output = Files.createDirectories(Path.of(args[1]));
        String version = args[2];
        List<Path> paths;
        try (Stream<Path> found = Files.list(Path.of(args[0]))) {
            paths = found.filter(path -> path.toString().endsWith(".script")).sorted().toList();
        }
        boolean failed = false;
        for (Path path : paths) {
            try {
                Script script = Script.read(path);
                if (script.isFor(version)) {
                    List<String> lines = new ArrayList<>(List.of("# kafka " + kafkaVersion()));
                    lines.addAll(World.run(script));
                    Files.writeString(output.resolve(script.name + "." + version + ".out"),
                        String.join("\n", lines) + "\n");
                }
            } catch (ScriptError e) {
                failed = true;
                System.err.println(e.getMessage());
                if (Boolean.getBoolean("judge.trace") && e.getCause() != null) {
                    e.getCause().printStackTrace();
                }
            }
        }
        // A run that never ends holds a thread; the process must not wait for it.
        System.exit(failed ? 1 : 0);
    }

    /** As the jar of Kafka's clients says it. */
    static String kafkaVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Main.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            properties.load(in);
        }
        return properties.getProperty("version");
    }
}
