package dev.cairn.sion.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Predicate;

/**
 * Looks for a seal behind the place at which a log breaks: since its writer wrote it, the break is
 * damage and not the writer's end. A seal begins at a multiple of 8, like every record.
 */
final class SealSearch {
  private static final int BUFFER_SIZE = 1 << 16;

  private final OpenSegment segment;
  private final Predicate<RecordHead> isOfLog;

  SealSearch(OpenSegment segment, Predicate<RecordHead> isOfLog) {
    this.segment = segment;
    this.isOfLog = isOfLog;
  }

  /** Whether there is one in {@code file} from {@code offset}, a multiple of 8, on. */
  boolean finds(FoundSegment file, long offset) throws IOException {
    int capacity = (int) Math.min(BUFFER_SIZE, Math.max(0, file.size() - offset));
    ByteBuffer buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    long start = offset;
    while (file.size() - start >= RecordKind.SEAL_SIZE) {
      buffer.clear().limit((int) Math.min(capacity, file.size() - start));
      segment.at(file.path()).readFully(start, buffer);
      if (finds(buffer.flip())) {
        return true;
      }
      start += LogFormat.aligned(buffer.limit() - RecordKind.SEAL_SIZE + 1);
    }
    return false;
  }

  private boolean finds(ByteBuffer bytes) {
    int last = bytes.limit() - RecordKind.SEAL_SIZE;
    for (int place = 0; place <= last; place += LogFormat.ALIGNMENT) {
      if (bytes.getInt(place) == RecordKind.SEAL_SIZE
          && bytes.getInt(place + Integer.BYTES) == RecordKind.SEAL.code()
          && isSeal(bytes.slice(place, RecordKind.SEAL_SIZE).order(ByteOrder.LITTLE_ENDIAN))) {
        return true;
      }
    }
    return false;
  }

  private boolean isSeal(ByteBuffer bytes) {
    try {
      return isOfLog.test(RecordHead.decoded(bytes));
    } catch (Misfit other) {
      return false;
    }
  }
}
