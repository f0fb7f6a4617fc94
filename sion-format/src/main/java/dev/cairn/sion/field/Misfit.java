package dev.cairn.sion.field;

/** Bytes that are not what comes next. The message says what was expected and found. */
public class Misfit extends Exception {
  private static final long serialVersionUID = 1L;

  private final long position;

  /** What is wrong at {@code position}. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  public Misfit(long position, String format, Object... arguments) {
    super(String.format(format, arguments), null, false, false);
    this.position = position;
  }

  /** Where they are. */
  public final long position() {
    return position;
  }

  public final String reason() {
    return String.valueOf(getMessage());
  }
}
