package dev.cairn.sion.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.failure.SionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads a compressed stream, a frame at a time. The sizes in a frame header are compared with the
 * limits before use. Both buffers are allocated once, as large as the limits.
 */
final class ZstdInput extends InputStream {
  /** A bit of a frame's fifth byte, which is set if a checksum follows the content. */
  private static final int CHECKSUM_FLAG = 0x04;

  private final TaskView task;
  private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

  /** The next bytes of the stream: at least a whole frame, or the rest of a shorter stream. */
  private final ByteBuffer window =
      ByteBuffer.allocate((int) Zstd.compressBound(ZstdMarks.MOST_CONTENT))
          .order(ByteOrder.LITTLE_ENDIAN)
          .limit(0);

  /** The position in the stream behind the window. */
  private long windowEnd = ZstdMarks.SIZE;

  private final byte[] content = new byte[ZstdMarks.MOST_CONTENT];
  private int next;
  private int contentEnd;
  private long frameCount;
  private long contentSize;
  private boolean atEnd;
  private boolean open = true;

  ZstdInput(TaskView task) {
    this.task = task;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (!open) {
      throw new IOException("task " + task.task() + ": its decompressed stream is closed.");
    }
    if (length == 0) {
      return 0;
    }
    if (next == contentEnd && !nextFrame()) {
      return -1;
    }
    int count = Math.min(length, contentEnd - next);
    System.arraycopy(content, next, target, offset, count);
    next += count;
    return count;
  }

  @Override
  public int available() {
    return contentEnd - next;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      decompressor.close();
    }
  }

  /** Advances to the next frame; false behind the last one, after the end mark was checked. */
  private boolean nextFrame() throws IOException {
    if (atEnd) {
      return false;
    }
    fillWindow();
    if (window.remaining() < ZstdMarks.SIZE) {
      throw incomplete();
    }
    int magic = window.getInt(window.position());
    if (magic == ZstdMarks.MARK_MAGIC) {
      requireEndMark();
      atEnd = true;
      return false;
    }
    if (magic != ZstdMarks.FRAME_MAGIC) {
      throw broken("it does not begin like one");
    }
    decompress();
    return true;
  }

  private void fillWindow() throws IOException {
    window.compact();
    try {
      windowEnd += Math.max(0, task.read(windowEnd, window));
    } finally {
      window.flip();
    }
  }

  private void decompress() throws SionException {
    int start = window.position();
    int wanted = wantedContent(start);
    int found;
    try {
      // It throws, although its signature returns error codes.
      int size = (int) Zstd.findFrameCompressedSize(window.array(), start, window.remaining());
      found = decompressor.decompressByteArray(content, 0, wanted, window.array(), start, size);
      window.position(start + size);
    } catch (ZstdException failure) {
      throw broken(String.valueOf(failure.getMessage()));
    }
    if (found != wanted) {
      throw broken("its content has " + found + " bytes, not " + wanted);
    }
    next = 0;
    contentEnd = found;
    frameCount++;
    contentSize += found;
  }

  private int wantedContent(int start) throws SionException {
    long size = Zstd.getFrameContentSize(window.array(), start, window.remaining());
    boolean hasChecksum = (window.get(start + Integer.BYTES) & CHECKSUM_FLAG) != 0;
    if (size < 1 || size > ZstdMarks.MOST_CONTENT || !hasChecksum) {
      throw broken(
          String.format(
              "its header tells of %d bytes of content %s a checksum",
              size, hasChecksum ? "with" : "without"));
    }
    return (int) size;
  }

  private void requireEndMark() throws SionException {
    byte[] expected = ZstdMarks.end(frameCount, contentSize);
    int start = window.position();
    boolean same =
        Arrays.equals(expected, 0, expected.length, window.array(), start, start + expected.length);
    if (!same) {
      throw corrupt(
          "end mark",
          String.format("that of %d frames and %d bytes", frameCount, contentSize),
          "another one");
    }
    if (position() + ZstdMarks.SIZE != task.size()) {
      throw corrupt("end mark", "the last thing in the stream", "not");
    }
  }

  private SionException incomplete() {
    return corrupt(
        "end mark",
        String.format("%d bytes behind %d frames", ZstdMarks.SIZE, frameCount),
        "missing");
  }

  private SionException broken(String why) {
    return corrupt("zstd frame " + frameCount, "whole and fit its checksum", "not: " + why);
  }

  private SionException corrupt(String field, String expected, String found) {
    return new SionException.Corrupt(
        task.file(), task.offset(position()), field + " of task " + task.task(), expected, found);
  }

  /** The position in the stream of the bytes being examined. */
  private long position() {
    return windowEnd - window.remaining();
  }
}
