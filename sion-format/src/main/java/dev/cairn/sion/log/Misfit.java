package dev.cairn.sion.log;

/** Bytes that are not what comes next in a log. The message says what was expected and found. */
sealed class Misfit extends Exception permits Misfit.Illegal, SegmentHead.OtherVersion {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  Misfit(String format, Object... arguments) {
    super(String.format(format, arguments), null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }

  /**
   * A head whose checksum is right, but that no correct writer writes: never the trace of a writer
   * that was stopped.
   */
  static final class Illegal extends Misfit {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("AnnotateFormatMethod") // as above
    Illegal(String format, Object... arguments) {
      super(format, arguments);
    }

    /** {@code refusal} is that of a value that the fields would have made. */
    static Illegal because(IllegalArgumentException refusal) {
      return new Illegal("%s", String.valueOf(refusal.getMessage()));
    }
  }
}
