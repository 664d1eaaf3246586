package flotsam.judge;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/** The plug-in: every call is answered as the script says. */
final class Storage implements RemoteStorageManager {
    private static final String RETRIABLE =
        "org.apache.kafka.server.log.remote.storage.RetriableRemoteStorageException";

    private final World world;
    /** What a call does that an interrupt ends: throw, unchecked, ignore or swallow. */
    String onInterrupt = "throw";

    Storage(World world) {
        this.world = world;
    }

    static boolean knowsRetriable() {
        try {
            Class.forName(RETRIABLE);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata copy, LogSegmentData data)
            throws RemoteStorageException {
        String outcome = call("copy", copy);
        if (!outcome.startsWith("ok custom=")) {
            return Optional.empty();
        }
        int size = Integer.parseInt(outcome.substring("ok custom=".length()));
        return Optional.of(new CustomMetadata(new byte[size]));
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata copy) throws RemoteStorageException {
        call("delete", copy);
    }

    private String call(String what, RemoteLogSegmentMetadata copy) throws RemoteStorageException {
        world.printChanges();
        String line = "store " + what + " " + world.nameOf(copy.remoteLogSegmentId()) + " -> ";
        try {
            world.arrive(what);
        } catch (InterruptedException e) {
            world.print(line + "interrupted");
            if (onInterrupt.equals("unchecked")) {
                throw new RuntimeException("interrupted");
            }
            throw new RemoteStorageException("interrupted");
        }
        String outcome = world.outcomes.take(what);
        world.print(line + outcome);
        switch (outcome) {
            case "permanent" -> throw new RemoteStorageException(outcome);
            case "retriable" -> throw retriable();
            case "unchecked" -> throw new RuntimeException(outcome);
            case "error" -> throw new OutOfMemoryError(outcome);
            default -> {
                return outcome;
            }
        }
    }

    /** By its name, because older versions have no such class. */
    private static RemoteStorageException retriable() {
        try {
            return (RemoteStorageException) Class.forName(RETRIABLE).getConstructor(String.class)
                .newInstance("retriable");
        } catch (ClassNotFoundException | NoSuchMethodException | InstantiationException | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata copy, int start) {
        throw new UnsupportedOperationException("nothing that is judged reads");
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata copy, int start, int end) {
        throw new UnsupportedOperationException("nothing that is judged reads");
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata copy, IndexType type) {
        throw new UnsupportedOperationException("nothing that is judged reads");
    }

    @Override
    public void configure(Map<String, ?> configs) {
    }

    @Override
    public void close() {
    }
}
