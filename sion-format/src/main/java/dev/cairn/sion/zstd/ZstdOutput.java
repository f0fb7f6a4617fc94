package dev.cairn.sion.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.cairn.sion.ChunkOutput;
import dev.cairn.sion.ChunkWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** Gathers a frame's content, compresses it, and appends it to a task's stream. */
final class ZstdOutput extends OutputStream {
  private final int task;
  private final ChunkOutput out;
  private final ZstdCompressCtx compressor;
  private final byte[] content = new byte[ZstdMarks.MOST_CONTENT];
  private final byte[] frame = new byte[(int) Zstd.compressBound(ZstdMarks.MOST_CONTENT)];
  private int gathered;
  private long frameCount;
  private long contentSize;
  private boolean open = true;

  /** Whether all that was handed to the file is whole. */
  private boolean sound = true;

  ZstdOutput(ChunkWriter writer, int level) throws IOException {
    task = writer.task();
    out = writer.stream();
    append(ZstdMarks.start(), ZstdMarks.SIZE);
    compressor = new ZstdCompressCtx().setLevel(level).setContentSize(true).setChecksum(true);
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    requireUsable();
    int done = 0;
    while (done < length) {
      int piece = Math.min(length - done, content.length - gathered);
      System.arraycopy(bytes, offset + done, content, gathered, piece);
      gathered += piece;
      done += piece;
      if (gathered == content.length) {
        endFrame();
      }
    }
  }

  /** Ends the frame, and hands it to the file. */
  @Override
  public void flush() throws IOException {
    requireUsable();
    endFrame();
    out.flush();
  }

  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    try {
      if (sound) {
        endFrame();
        append(ZstdMarks.end(frameCount, contentSize), ZstdMarks.SIZE);
        out.close();
      }
    } finally {
      compressor.close();
    }
  }

  private void endFrame() throws IOException {
    if (gathered > 0) {
      int size = compressor.compressByteArray(frame, 0, frame.length, content, 0, gathered);
      append(frame, size);
      frameCount++;
      contentSize += gathered;
      gathered = 0;
    }
  }

  /** After a failure it is unknown how much was written. A retry could write it twice. */
  private void append(byte[] bytes, int length) throws IOException {
    sound = false;
    out.write(bytes, 0, length);
    sound = true;
  }

  private void requireUsable() throws IOException {
    if (!open || !sound) {
      throw new IOException(
          String.format(
              "task %d: its compressed stream %s, so nothing can be added.",
              task, open ? "is torn by an earlier failure" : "is closed"));
    }
  }
}
