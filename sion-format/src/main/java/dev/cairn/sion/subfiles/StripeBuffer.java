package dev.cairn.sion.subfiles;

import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.stripe.LocalExtent;
import dev.cairn.sion.stripe.MemorySlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the bytes of a local extent between a sub-file and their places in memory, with one read or
 * write however many stripes there are.
 */
final class StripeBuffer {
  private StripeBuffer() {}

  /** Scatters an extent into the slices of {@code request} that it consists of. */
  static void read(BlockFile file, LocalExtent extent, ByteBuffer request) throws IOException {
    List<ByteBuffer> slices = slices(extent, request);
    if (slices.size() == 1) {
      file.readFully(extent.local(), slices.get(0));
      return;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) extent.length());
    file.readFully(extent.local(), bytes);
    bytes.flip();
    for (ByteBuffer slice : slices) {
      slice.put(bytes.slice(bytes.position(), slice.remaining()));
      bytes.position(bytes.position() + slice.limit());
    }
  }

  /** Gathers an extent from the slices of {@code request} that it consists of. */
  static void write(BlockFile file, LocalExtent extent, ByteBuffer request) throws IOException {
    List<ByteBuffer> slices = slices(extent, request);
    if (slices.size() == 1) {
      file.write(extent.local(), slices.get(0));
      return;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) extent.length());
    slices.forEach(bytes::put);
    file.write(extent.local(), bytes.flip());
  }

  /** Positions of slices count from the position of the request, which fits into a buffer. */
  private static List<ByteBuffer> slices(LocalExtent extent, ByteBuffer request) {
    List<ByteBuffer> slices = new ArrayList<>();
    extent.forEachSlice(slice -> slices.add(part(request, slice)));
    return slices;
  }

  private static ByteBuffer part(ByteBuffer request, MemorySlice slice) {
    return request.slice(request.position() + (int) slice.position(), (int) slice.length());
  }
}
