package flotsam.judge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Queued answers of calls, first in, first out for each kind of call. */
final class Outcomes {
    private final Map<String, Deque<String>> queues = new TreeMap<>();

    void add(String call, String outcome) {
        queues.computeIfAbsent(call, key -> new ArrayDeque<>()).add(outcome);
    }

    String take(String call) {
        Deque<String> queue = queues.get(call);
        return queue == null || queue.isEmpty() ? "ok" : queue.remove();
    }

    /** A call whose answer nobody took, or null. */
    String left() {
        for (Map.Entry<String, Deque<String>> queue : queues.entrySet()) {
            if (!queue.getValue().isEmpty()) {
                return "next " + queue.getKey() + " " + queue.getValue().peek();
            }
        }
        return null;
    }

    /** How many answers each call has left. */
    Map<String, Integer> leftCounts() {
        Map<String, Integer> counts = new TreeMap<>();
        queues.forEach((call, queue) -> counts.put(call, queue.size()));
        return counts;
    }
}
