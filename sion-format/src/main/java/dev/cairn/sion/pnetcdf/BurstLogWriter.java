package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes the log of one process byte for byte as PnetCDF does, misplaced fields and all. One thread
 * at a time.
 *
 * <p>As PnetCDF it forces nothing by itself, so a power failure can leave anything. It is for tools
 * and tests; what a program has to keep belongs into a {@linkplain dev.cairn.sion.log.LogWriter log
 * of our own}.
 */
final class BurstLogWriter implements Closeable {
  private static final int WINDOW_SIZE = 1 << 18;

  private final MetaHeader header;
  private final Sharing sharing;
  private final BlockFile meta;
  private final BlockFile data;
  private long metaEnd;
  private long dataEnd = MetaHeader.MAGIC.length;
  private long putCount;

  private BurstLogWriter(MetaHeader header, Sharing sharing, BlockFile meta, BlockFile data) {
    this.header = header;
    this.sharing = sharing;
    this.meta = meta;
    this.data = data;
    this.metaEnd = header.size();
  }

  /** Begins the log with this header in two files, which must not exist. */
  public static BurstLogWriter create(BlockStore store, BurstLogName name, MetaHeader header)
      throws IOException {
    return begin(store, name, header, Sharing.NONE);
  }

  /** Begins a log in two files that other processes share; the first of them creates the files. */
  static BurstLogWriter begin(
      BlockStore store, BurstLogName name, MetaHeader header, Sharing sharing) throws IOException {
    BlockFile meta = file(store, name.meta(), sharing);
    try {
      BlockFile data = file(store, name.data(), sharing);
      BurstLogWriter log = new BurstLogWriter(header, sharing, meta, data);
      try {
        log.write(meta, 0, header.encoded());
        log.write(data, 0, ByteBuffer.wrap(MetaHeader.MAGIC));
        return log;
      } catch (IOException | RuntimeException failure) {
        CloseAll.after(failure, data);
        throw failure;
      }
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, meta);
      throw failure;
    }
  }

  private static BlockFile file(BlockStore store, Path path, Sharing sharing) throws IOException {
    return sharing.number() == 0 ? store.create(path) : store.open(path, Access.READ_WRITE);
  }

  /**
   * Logs a put: first its values, then its entry, then the count of entries. A put of no cells
   * leaves nothing, unless it is a {@link PutBoxes.Kind#VARN}. After a failure the log is as it
   * was.
   *
   * @param values as many as there are cells, in the byte order of the header
   * @throws IllegalArgumentException if there are more or fewer values, or logs of this layout have
   *     no such puts
   */
  public void put(int variable, StagedPut.MemoryType type, PutBoxes boxes, ByteBuffer values)
      throws IOException {
    StagedPut put = new StagedPut(variable, type, boxes, dataEnd);
    if (values.remaining() != put.dataSize()) {
      throw new IllegalArgumentException(
          String.format("the values of %s have %d bytes.", boxes, put.dataSize()));
    }
    append(put, () -> write(data, dataEnd, values));
  }

  /** Gives values of a put, from the byte {@code position} of them on. */
  interface ValueSource {
    void read(long position, ByteBuffer target) throws IOException;
  }

  /** As put, with values that need not be in memory all at once. */
  void put(int variable, StagedPut.MemoryType type, PutBoxes boxes, ValueSource values)
      throws IOException {
    StagedPut put = new StagedPut(variable, type, boxes, dataEnd);
    append(put, () -> copy(values, put.dataSize()));
  }

  private void copy(ValueSource values, long size) throws IOException {
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_SIZE, size));
    for (long next = 0; next < size; next += window.limit()) {
      window.clear().limit((int) Math.min(window.capacity(), size - next));
      values.read(next, window);
      write(data, dataEnd + next, window.flip());
    }
  }

  /** Writes the values of a put. */
  private interface ValueWriting {
    void run() throws IOException;
  }

  private void append(StagedPut put, ValueWriting values) throws IOException {
    PutBoxes boxes = put.boxes();
    boolean isOfOneBox = boxes.kind() == PutBoxes.Kind.VARA || boxes.kind() == PutBoxes.Kind.VARS;
    if (!isOfOneBox && header.layout() == MetaHeader.Layout.A) {
      throw new IllegalArgumentException("in layout A each box is a put of its own.");
    }
    if (isOfOneBox && put.dataSize() == 0) {
      return;
    }
    ByteBuffer entry = MetaEntry.of(header.layout(), put).encoded(header.order());
    int entrySize = entry.remaining();
    values.run();
    write(meta, metaEnd, entry);
    writeCount(putCount + 1);
    putCount++;
    metaEnd += entrySize;
    dataEnd = put.dataEnd();
  }

  /**
   * What a flush leaves that is not a close: no entry counts any more, the next put overwrites the
   * first one, and nothing is cut off.
   */
  public void flush() throws IOException {
    writeCount(0);
    putCount = 0;
    metaEnd = header.size();
    dataEnd = MetaHeader.MAGIC.length;
  }

  /**
   * What a second {@code enddef} leaves, which follows a flush: the most dimensions of a variable,
   * in a wrong place.
   */
  public void storeMaxDimensions(int dimensions) throws IOException {
    write(meta, header.layout().dimensionsOffset(), number(dimensions));
  }

  /** Makes both files durable, which PnetCDF never does. */
  void force() throws IOException {
    data.force();
    meta.force();
  }

  private void writeCount(long count) throws IOException {
    write(meta, MetaHeader.Layout.COUNT_OFFSET, number(count));
  }

  private ByteBuffer number(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(header.order()).putLong(value).flip();
  }

  private void write(BlockFile file, long position, ByteBuffer bytes) throws IOException {
    int end = bytes.limit();
    for (long next = position; bytes.position() < end; ) {
      int count = (int) Math.min(sharing.runLength(next), end - bytes.position());
      file.write(sharing.fileOffset(next), bytes.limit(bytes.position() + count));
      bytes.limit(end);
      next += count;
    }
  }

  @Override
  public void close() throws IOException {
    try (meta) {
      data.close();
    }
  }
}
