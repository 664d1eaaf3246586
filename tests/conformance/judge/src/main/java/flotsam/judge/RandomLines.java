package flotsam.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Lines of a script by chance: a small log, copies that overlap it, and whatever may happen to them. */
final class RandomLines {
    private static final String[] STATES = {"CS", "CF", "DS", "DF"};

    private final Random random;
    private final Map<Integer, Long> epochs = new TreeMap<>();
    private final List<String> names = new ArrayList<>();
    private long first;
    private long end;
    private int epoch;

    RandomLines(long seed) {
        random = new Random(seed);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private long between(long from, long to) {
        return from + random.nextInt((int) (to - from + 1));
    }

    private String one(String... words) {
        return words[random.nextInt(words.length)];
    }

    List<String> setUp() {
        List<String> lines = new ArrayList<>();
        lines.add("topic retention.bytes=" + one("-1", "400", "900", "1500", "2500") + " retention.ms="
            + one("-1", "-1", "5000", "100000") + " local.retention.bytes=" + one("-2", "-2", "400"));
        first = chance(50) ? 0 : between(1, 4) * 10;
        List<String> segments = new ArrayList<>();
        end = first;
        for (long count = between(1, 4); count > 0; --count) {
            long last = end + between(0, 19);
            segments.add("segment " + end + " " + last + " size=" + between(4, 9) * 100 + age());
            end = last + 1;
        }
        boolean isEmpty = chance(50);
        segments.add("active " + end + (isEmpty ? "" : " " + (end + 4) + " size=" + between(4, 6) * 100));
        end += isEmpty ? 0 : 5;
        setUpEpochs(lines);
        lines.addAll(segments);
        if (first > 0) {
            lines.add("log-start " + between(0, first));
        }
        if (chance(30)) {
            lines.add("high-watermark " + between(first, end));
        }
        for (long count = between(0, 6); count > 0; --count) {
            lines.add("remote " + copy() + " state=" + one(STATES));
        }
        if (chance(20)) {
            lines.add("seeded " + between(0, end));
        }
        return lines;
    }

    private void setUpEpochs(List<String> lines) {
        long at = 0;
        epoch = random.nextInt(3);
        epochs.put(epoch, at);
        while (chance(50) && epochs.size() < 4) {
            at += between(1, 25);
            epoch += between(1, 2);
            if (at >= end) {
                break;
            }
            epochs.put(epoch, at);
        }
        lines.add("epochs " + Words.text(epochs).replace(',', ' '));
        epoch = ((TreeMap<Integer, Long>) epochs).lastKey();
    }

    private String age() {
        return chance(50) ? "" : " ts=" + (1_000_000_000_000L - between(0, 20) * 1000);
    }

    /** A copy of any range, sometimes of a lineage that is not the log's. */
    private String copy() {
        String name = "r" + names.size();
        names.add(name);
        long start = between(0, end);
        long last = start + between(0, 24);
        String text = name + " " + start + " " + last + " size=" + between(1, 6) * 100 + age();
        if (chance(20)) {
            int other = random.nextInt(5);
            text += " epochs=" + other + ":" + start;
            text += chance(50) ? "" : "," + (other + 1) + ":" + between(start, last);
        }
        return text;
    }

    List<String> begin() {
        return List.of("lead " + epoch);
    }

    /** One thing that happens, in one or two lines. */
    List<String> action() {
        int kind = random.nextInt(100);
        if (kind < 18) {
            return List.of("run copy");
        } else if (kind < 36) {
            return List.of("run expiration");
        } else if (kind < 52) {
            return List.of(answer());
        } else if (kind < 64) {
            return List.of(foreign());
        } else if (kind < 74) {
            return grow();
        } else if (kind < 84) {
            return stand();
        } else {
            return List.of(other());
        }
    }

    private String answer() {
        if (chance(50)) {
            return "next publish " + one(STATES) + " " + one("ok", "refused", "unknown", "late");
        }
        String call = one("copy", "delete");
        String outcome = one("ok", "permanent", "permanent", "unchecked", "retriable");
        boolean hasCustom = call.equals("copy") && outcome.equals("ok") && chance(60);
        return "next " + call + " " + outcome + (hasCustom ? " custom=" + one("1", "128", "129") : "");
    }

    private String foreign() {
        if (chance(25)) {
            return "foreign CS " + copy();
        }
        String name = names.isEmpty() || chance(40) ? "#" + between(1, 6) : names.get(random.nextInt(names.size()));
        return "foreign " + one("CF", "DS", "DF") + " " + name;
    }

    private List<String> grow() {
        List<String> lines = new ArrayList<>();
        long count = between(1, 12);
        end += count;
        lines.add("append " + count + " size=" + between(2, 5) * 100);
        if (chance(70)) {
            lines.add("roll");
        }
        if (chance(80)) {
            lines.add("high-watermark " + end);
        }
        return lines;
    }

    /** A run that stands, something beside it, and its end. */
    private List<String> stand() {
        String task = one("copy", "expiration");
        List<String> lines = new ArrayList<>();
        lines.add("on-interrupt " + one("throw", "unchecked", "ignore"));
        lines.add("start " + task + " until " + one("publish CS", "publish CF", "publish DS", "publish DF", "copy",
            "delete"));
        if (chance(50)) {
            lines.add(chance(50) ? foreign() : "run " + (task.equals("copy") ? "expiration" : "copy"));
        }
        if (chance(25)) {
            lines.add("cancel " + task);
        }
        lines.add("finish " + task);
        return lines;
    }

    private String other() {
        return switch (random.nextInt(9)) {
            case 0, 1 -> "advance " + between(1, 8) * 1000;
            case 2 -> "log-start " + between(0, end);
            case 3 -> "topic retention.bytes=" + one("-1", "600", "1200");
            case 4 -> "epoch " + ++epoch;
            case 5 -> "local-retention";
            case 6 -> "follow";
            case 7 -> "run follower";
            default -> "lead " + epoch;
        };
    }

    List<String> end() {
        List<String> lines = new ArrayList<>(List.of("lead " + epoch, "run expiration", "run copy", "show all"));
        for (int number = 0; number <= epoch; ++number) {
            lines.add("show epoch " + number);
            lines.add("show highest " + number);
            lines.add("show read " + number + " " + between(0, end));
        }
        lines.add("show log");
        return lines;
    }
}
