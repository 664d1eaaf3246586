package flotsam.judge;

/**
 * One run of a task on its own thread. The script's thread and this one take turns: at every moment exactly one of them
 * goes on, so the order of events is the script's.
 */
final class Run {
    private static final long WATCHDOG_MS = 20_000;
    private static final ThreadLocal<Run> CURRENT = new ThreadLocal<>();

    final Manager.Task task;
    private final Thread thread;
    private String until;
    private String standsAt;
    private boolean released;
    private boolean leavesInterrupt;
    private boolean ended;
    private Throwable thrown;

    Run(Manager.Task task, String until) {
        this.task = task;
        this.until = until;
        this.thread = new Thread(this::go, "judged-run");
        thread.setDaemon(true);
    }

    /** Null on a thread that runs no task. */
    static Run current() {
        return CURRENT.get();
    }

    private void go() {
        CURRENT.set(this);
        Throwable left = null;
        try {
            task.run();
        } catch (Throwable e) {
            left = e;
        }
        synchronized (this) {
            thrown = left;
            ended = true;
            notifyAll();
        }
    }

    /** Starts it and waits until it stands or ends. */
    void start() throws InterruptedException {
        thread.start();
        await();
    }

    private synchronized void await() throws InterruptedException {
        long deadline = System.currentTimeMillis() + WATCHDOG_MS;
        while (!ended && standsAt == null) {
            long left = deadline - System.currentTimeMillis();
            if (left <= 0) {
                StringBuilder where = new StringBuilder("the run neither ends nor reaches a call; it is at");
                for (StackTraceElement frame : thread.getStackTrace()) {
                    where.append("\n    ").append(frame);
                }
                throw new IllegalStateException(where.toString());
            }
            wait(left);
        }
    }

    synchronized boolean ended() {
        return ended;
    }

    synchronized String standsAt() {
        return standsAt;
    }

    synchronized Throwable thrown() {
        return thrown;
    }

    /** Lets the call be answered, and waits for the end of the run. */
    void finish() throws InterruptedException {
        synchronized (this) {
            released = true;
            standsAt = null;
            notifyAll();
        }
        await();
    }

    /** The call is ended by an interrupt, and the run goes to its end. */
    void interrupt() throws InterruptedException {
        synchronized (this) {
            standsAt = null;
            thread.interrupt();
        }
        await();
    }

    /** The call takes no notice of an interrupt; its thread carries the flag once the call returns. */
    synchronized void leaveInterrupt() {
        leavesInterrupt = true;
    }

    /** Called on the run's thread inside a call: stands here if the script says so. */
    synchronized void arrive(String point) throws InterruptedException {
        if (!point.equals(until)) {
            return;
        }
        until = null;
        standsAt = point;
        notifyAll();
        while (!released) {
            wait();
        }
        if (leavesInterrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
