package dev.cairn.sion.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a {@link FieldReader} takes its bytes from. */
@FunctionalInterface
public interface ByteSource {
  /** Fills {@code target} with the bytes from {@code position} on, or throws. */
  void read(long position, ByteBuffer target) throws IOException;
}
