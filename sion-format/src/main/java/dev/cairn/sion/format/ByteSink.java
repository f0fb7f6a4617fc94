package dev.cairn.sion.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a {@link FieldWriter} puts its bytes. */
@FunctionalInterface
public interface ByteSink {
  /** Writes all of {@code source} from {@code position} on. */
  void write(long position, ByteBuffer source) throws IOException;
}
