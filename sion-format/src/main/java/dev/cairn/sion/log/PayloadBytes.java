package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** The payload of a record that is to be written: some buffers, which stay as they are. */
final class PayloadBytes {
  private final List<ByteBuffer> buffers;
  private final long size;

  PayloadBytes(ByteBuffer... buffers) {
    this.buffers = Arrays.stream(buffers).map(ByteBuffer::asReadOnlyBuffer).toList();
    this.size = this.buffers.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  long size() {
    return size;
  }

  /** Its buffers, which whoever reads them may use up. */
  List<ByteBuffer> buffers() {
    return buffers.stream().map(ByteBuffer::duplicate).toList();
  }

  /** CRC32C of each frame; a frame can lie in several buffers. */
  FrameChecksums frames() {
    int[] frames = new int[LogFormat.frameCount(size)];
    CRC32C crc = new CRC32C();
    long end = 0;
    for (ByteBuffer buffer : buffers()) {
      while (buffer.hasRemaining()) {
        int inFrame = (int) (end % LogFormat.FRAME_SIZE);
        int count = Math.min(buffer.remaining(), LogFormat.FRAME_SIZE - inFrame);
        crc.update(buffer.slice(buffer.position(), count));
        buffer.position(buffer.position() + count);
        end += count;
        if (end % LogFormat.FRAME_SIZE == 0 || end == size) {
          frames[(int) ((end - 1) / LogFormat.FRAME_SIZE)] = (int) crc.getValue();
          crc.reset();
        }
      }
    }
    return new FrameChecksums(frames);
  }
}
