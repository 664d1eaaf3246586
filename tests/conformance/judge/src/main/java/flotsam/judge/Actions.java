package flotsam.judge;

import java.util.Map;
import java.util.NavigableMap;

/** The action lines of a script. */
final class Actions {
    private static final String[] TASKS = {"copy", "expiration", "follower"};
    private static final String[] STATES = {"CS", "CF", "DS", "DF"};

    private final World world;
    private final Copies copies;
    private final Questions questions;

    Actions(World world) {
        this.world = world;
        copies = new Copies(world);
        questions = new Questions(world);
    }

    void act(Script.Line line) throws Exception {
        Words words = new Words(world.script, line);
        String word = words.word("an action");
        switch (word) {
            case "advance" -> world.parts.clock.advance(words.integer("milliseconds"));
            case "lead" -> lead(words);
            case "follow" -> follow();
            case "run" -> start(words, null);
            case "start" -> start(words, "until");
            case "finish" -> finish(words);
            case "cancel" -> {
                String name = words.choice("a task", TASKS);
                task(words, name);
                cancel(name);
            }
            case "on-interrupt" -> world.storage.onInterrupt = words.choice("a way", "throw", "unchecked", "ignore",
                "swallow");
            case "next" -> next(words);
            case "append" -> append(words, line);
            case "roll" -> world.parts.log.roll();
            case "lose-snapshot" -> world.parts.log.loseSnapshot(words.integer("an offset"));
            case "high-watermark" -> world.parts.log.setHighWatermark(words.integer("an offset"));
            case "log-start" -> world.parts.log.incrementStart(words.integer("an offset"));
            case "topic" -> {
                world.topic.putAll(words.options());
                world.parts.log.configure(world.topic);
            }
            case "epoch" -> world.parts.log.assignEpoch(words.epoch(), world.parts.log.end());
            case "local-retention" -> {
                int removed = world.parts.log.deleteOldSegments();
                world.printChanges();
                world.print("removed-local " + removed);
            }
            case "foreign" -> copies.foreign(words);
            case "stop" -> stop(words);
            default -> questions.answer(word, words);
        }
        words.end();
        world.printChanges();
    }

    private void lead(Words words) {
        words.epoch();
        for (String task : TASKS) {
            if (standing(task) != null) {
                throw words.error("the " + task + " run stands: finish or cancel it first");
            }
        }
        world.tasks.clear();
        if (!Boolean.parseBoolean(world.topic.getOrDefault("remote.log.copy.disable", "false"))) {
            world.tasks.put("copy", world.manager.copyTask());
        }
        world.tasks.put("expiration", world.manager.expirationTask());
    }

    private void follow() throws Exception {
        for (String task : new String[] {"copy", "expiration"}) {
            if (world.tasks.containsKey(task)) {
                cancel(task);
            }
        }
        world.tasks.clear();
        world.tasks.put("follower", world.manager.followerTask());
        world.manager.removeMetrics();
    }

    private Manager.Task task(Words words, String name) {
        Manager.Task task = world.tasks.get(name);
        if (task == null) {
            throw words.error("there is no " + name + " task");
        }
        return task;
    }

    private void start(Words words, String until) throws InterruptedException {
        String name = words.choice("a task", TASKS);
        Run before = world.runs.get(name);
        if (before != null && !before.ended()) {
            throw words.error("the " + name + " run stands already");
        }
        String point = null;
        if (until != null) {
            words.choice("a word", until);
            point = words.choice("a call", "publish", "copy", "delete");
            point += point.equals("publish") ? " " + words.choice("a state", STATES) : "";
        }
        Run run = new Run(task(words, name), point);
        world.runs.put(name, run);
        run.start();
        if (run.ended()) {
            printEnd(run);
        } else {
            world.print("stands at " + run.standsAt());
        }
    }

    private void printEnd(Run run) {
        world.printChanges();
        world.print(run.thrown() == null ? "end" : run.thrown() instanceof Metadata.Spinning ? "spins" : "end Error");
        if (run.thrown() != null && !(run.thrown() instanceof Error)) {
            throw new IllegalStateException(run.thrown());
        }
    }

    private Run standing(String name) {
        Run run = world.runs.get(name);
        return run == null || run.ended() ? null : run;
    }

    private void finish(Words words) throws InterruptedException {
        Run run = standing(words.choice("a task", TASKS));
        if (run == null) {
            throw words.error("no such run stands anywhere");
        }
        run.finish();
        printEnd(run);
    }

    /** Kafka cancels a task by its flag and an interrupt of its thread. */
    private void cancel(String name) throws InterruptedException {
        Run run = standing(name);
        (run == null ? world.tasks.get(name) : run.task).cancel();
        if (run == null) {
            return;
        }
        boolean isPublish = run.standsAt().startsWith("publish");
        if (!isPublish && world.storage.onInterrupt.equals("swallow")) {
            return;
        }
        if (!isPublish && world.storage.onInterrupt.equals("ignore")) {
            run.leaveInterrupt();
            return;
        }
        run.interrupt();
        printEnd(run);
    }

    private void next(Words words) {
        String call = words.choice("a call", "publish", "copy", "delete");
        if (call.equals("publish")) {
            call += " " + words.choice("a state", STATES);
            world.outcomes.add(call, words.choice("an outcome", "ok", "refused", "unknown", "late"));
            return;
        }
        String outcome = words.choice("an outcome", "ok", "permanent", "retriable", "unchecked", "error");
        if (outcome.equals("retriable") && !Storage.knowsRetriable()) {
            throw words.error("this Kafka has no retriable error: give `versions`");
        }
        if (outcome.equals("ok") && call.equals("copy")) {
            String custom = words.options("custom").get("custom");
            outcome += custom == null ? "" : " custom=" + words.integer("custom", custom);
        }
        world.outcomes.add(call, outcome);
    }

    private void append(Words words, Script.Line line) {
        long count = words.integer("a number of records");
        Map<String, String> options = words.options("size", "ts");
        if (!options.containsKey("size")) {
            throw words.error("size=B is missing");
        }
        long timestamp = options.containsKey("ts") ? words.integer("ts", options.get("ts"))
            : world.parts.clock.milliseconds();
        Log log = world.parts.log;
        NavigableMap<Integer, Long> epochs = log.epochs();
        SetUp.append(world.script, line, log, log.end(), log.end() + count - 1,
            (int) words.integer("size", options.get("size")), epochs.lastKey(), timestamp);
    }

    private void stop(Words words) throws Exception {
        words.choice("a word", "delete");
        for (String task : TASKS) {
            if (world.tasks.containsKey(task)) {
                cancel(task);
            }
        }
        world.manager.stopAndDelete(error -> world.print("failed"));
        world.print("end");
        world.tasks.clear();
    }
}
