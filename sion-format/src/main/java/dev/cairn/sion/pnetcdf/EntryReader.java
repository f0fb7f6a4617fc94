package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.field.Misfit;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the entries of a metadata log.
 *
 * @param window the way to the file
 * @param meta the log
 * @param header its header
 */
record EntryReader(LogWindow window, LogStream meta, MetaHeader header) {
  /** The entry that begins at {@code position}. */
  MetaEntry entry(long position) throws IOException, Misfit {
    ByteBuffer fixed = window.bytes(meta, position, MetaEntry.FIXED_SIZE).order(header.order());
    if (fixed.remaining() < MetaEntry.FIXED_SIZE) {
      throw new Misfit(position, "an entry should begin, but the log ends at byte %d", meta.size());
    }
    // A size that no entry has is refused when it is read once more.
    long size = Math.max(MetaEntry.FIXED_SIZE, Math.min(MetaEntry.MOST_SIZE, fixed.getLong(0)));
    ByteBuffer bytes = window.bytes(meta, position, (int) size).order(header.order());
    return MetaEntry.decoded(bytes, position);
  }

  /** The put that {@code entry}, which begins at {@code position}, describes. */
  StagedPut put(MetaEntry entry, long position) throws Misfit {
    try {
      return entry.put(header.layout());
    } catch (IllegalArgumentException illegal) {
      throw new Misfit(position, "%s", String.valueOf(illegal.getMessage()));
    }
  }

  /** Whether nothing but zeros follow the header. */
  boolean isFollowedByZeros() throws IOException {
    for (long next = header.size(); next < meta.size(); ) {
      ByteBuffer bytes = window.bytes(meta, next, LogWindow.USUAL_SIZE);
      next += bytes.remaining();
      while (bytes.hasRemaining()) {
        if (bytes.get() != 0) {
          return false;
        }
      }
    }
    return true;
  }
}
