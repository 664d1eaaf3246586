package flotsam.judge;

/** What is wrong with a script, or with what Kafka made of it, at the line where it showed. */
final class ScriptError extends RuntimeException {
    ScriptError(Script script, int line, String what) {
        super(script.file + ":" + line + ": " + what);
    }

    ScriptError(Script script, int line, Throwable cause) {
        super(script.file + ":" + line + ": " + cause, cause);
    }
}
