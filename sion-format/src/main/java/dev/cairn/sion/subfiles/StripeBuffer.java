package dev.cairn.sion.subfiles;

import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.stripe.LocalExtent;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Moves the bytes of a local extent between a sub-file and their places in memory, with one read or
 * write however many stripes there are. It takes as much memory as the extent has bytes.
 */
final class StripeBuffer {
  /** How many bytes of a request to move at a time: enough that small stripes are read together. */
  static final int WINDOW_SIZE = 1 << 22;

  private StripeBuffer() {}

  /** Scatters an extent into its places in {@code request}. */
  static void read(BlockFile file, LocalExtent extent, ByteBuffer request) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) extent.length());
    file.readFully(extent.local(), bytes);
    bytes.flip();
    extent.forEachSlice(
        slice -> {
          int length = (int) slice.length();
          int place = request.position() + (int) slice.offset();
          request.put(place, bytes, bytes.position(), length);
          bytes.position(bytes.position() + length);
        });
  }

  /** Gathers an extent from its places in {@code request}. */
  static void write(BlockFile file, LocalExtent extent, ByteBuffer request) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) extent.length());
    extent.forEachSlice(
        slice -> {
          int length = (int) slice.length();
          int place = request.position() + (int) slice.offset();
          bytes.put(bytes.position(), request, place, length);
          bytes.position(bytes.position() + length);
        });
    file.write(extent.local(), bytes.flip());
  }
}
