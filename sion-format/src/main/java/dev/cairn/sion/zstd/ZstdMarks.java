package dev.cairn.sion.zstd;

import dev.cairn.sion.TaskView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The start and end marks of a compressed stream. Both are skippable frames, which Zstandard's own
 * tools pass over:
 *
 * <pre>
 * start   5c 2a 4d 18 | u32 16 | "sion task zstd 1"
 * frames  Zstandard, each with its content's size and a checksum, of at most 1 MiB of content
 * end     5c 2a 4d 18 | u32 16 | u64 number of frames | u64 bytes of content
 * </pre>
 *
 * All integers are little-endian, as everything of Zstandard is.
 */
final class ZstdMarks {
  static final int SIZE = 24;

  /** The most content of a frame, which bounds the memory of a reader. */
  static final int MOST_CONTENT = 1 << 20;

  static final int FRAME_MAGIC = 0xfd2fb528;
  static final int MARK_MAGIC = 0x184d2a5c;

  private static final int PAYLOAD_SIZE = 16;
  private static final byte[] NAME = "sion task zstd 1".getBytes(StandardCharsets.US_ASCII);

  private ZstdMarks() {}

  static byte[] start() {
    return mark().put(NAME).array();
  }

  static byte[] end(long frameCount, long contentSize) {
    return mark().putLong(frameCount).putLong(contentSize).array();
  }

  static boolean isAtStart(TaskView task) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(SIZE);
    return task.size() >= SIZE
        && task.read(0, found) == SIZE
        && found.flip().equals(ByteBuffer.wrap(start()));
  }

  private static ByteBuffer mark() {
    return ByteBuffer.allocate(SIZE)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MARK_MAGIC)
        .putInt(PAYLOAD_SIZE);
  }
}
