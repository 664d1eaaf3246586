package flotsam.judge;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** The script's clock: it stands still but for `advance`, and for whoever sleeps. */
public final class Clock implements Time {
    private volatile long now;

    Clock(long now) {
        this.now = now;
    }

    void advance(long milliseconds) {
        now += milliseconds;
    }

    @Override
    public long milliseconds() {
        return now;
    }

    @Override
    public long nanoseconds() {
        return now * 1_000_000;
    }

    @Override
    public void sleep(long milliseconds) {
        advance(milliseconds);
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadline) {
        throw new UnsupportedOperationException("nothing that is judged waits on the clock");
    }
}
