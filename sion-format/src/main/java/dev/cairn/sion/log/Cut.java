package dev.cairn.sion.log;

import dev.cairn.sion.field.Misfit;

/** What comes next begins, and the file ends within it: so ends a writer that was stopped. */
final class Cut extends Misfit {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  Cut(long position, String format, Object... arguments) {
    super(position, format, arguments);
  }
}
