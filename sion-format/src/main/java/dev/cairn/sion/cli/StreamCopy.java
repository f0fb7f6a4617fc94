package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.store.AlignedMemory;
import dev.cairn.sion.zstd.ZstdStreams;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Copies parts of tasks' streams through one direct buffer. One thread at a time. */
final class StreamCopy {
  /** The largest that still stays in a core's cache between reading and writing. */
  private static final int BUFFER_BYTES = 1 << 18;

  private final Progress progress;
  private final AlignedMemory memory = AlignedMemory.allocate(BUFFER_BYTES);

  StreamCopy(Progress progress) {
    this.progress = progress;
  }

  /** Where copied bytes go. */
  interface Target {
    /** Takes all of {@code bytes}. */
    void write(ByteBuffer bytes) throws IOException;
  }

  /** A target that hands its bytes on to {@code stream}, which takes them in an array only. */
  static Target into(OutputStream stream) {
    byte[] array = new byte[BUFFER_BYTES];
    return bytes -> {
      while (bytes.hasRemaining()) {
        int length = Math.min(array.length, bytes.remaining());
        bytes.get(array, 0, length);
        stream.write(array, 0, length);
      }
    };
  }

  /**
   * Some consecutive bytes of a task's stream.
   *
   * @param position where they begin
   * @param length how many they are
   */
  record Part(TaskView task, long position, long length) {
    static Part whole(TaskView task) {
      return new Part(task, 0, task.size());
    }
  }

  /**
   * Copies a whole task: what was compressed, where its stream declares that it is, or else all.
   */
  void copyContent(TaskView task, Target target) throws IOException {
    if (ZstdStreams.isCompressed(task)) {
      decompress(task, target);
    } else {
      copy(Part.whole(task), target);
    }
  }

  private void decompress(TaskView task, Target target) throws IOException {
    byte[] bytes = new byte[BUFFER_BYTES];
    try (InputStream content = ZstdStreams.decompress(task)) {
      for (int count = content.read(bytes); count >= 0; count = content.read(bytes)) {
        target.write(ByteBuffer.wrap(bytes, 0, count));
      }
    }
    progress.advance(task.size());
  }

  void copy(Part part, Target target) throws IOException {
    long end = part.position() + part.length();
    long next = part.position();
    while (next < end) {
      ByteBuffer buffer = memory.at(next).limit((int) Math.min(BUFFER_BYTES, end - next));
      int count = part.task().read(next, buffer);
      if (count < 0) {
        throw new EOFException(
            String.format("task %d ends at byte %d, not at %d", part.task().task(), next, end));
      }
      target.write(buffer.flip());
      next += count;
      progress.advance(count);
    }
  }
}
