package dev.cairn.sion.pnetcdf;

/** Bytes that are not what comes next in a log. The message says what was expected and found. */
final class Mismatch extends Exception {
  private static final long serialVersionUID = 1L;

  private final long position;

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  Mismatch(long position, String format, Object... arguments) {
    super(String.format(format, arguments), null, false, false);
    this.position = position;
  }

  /** Where in the stream they are. */
  long position() {
    return position;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
