package dev.cairn.sion.append;

import dev.cairn.sion.ChunkWriter;
import dev.cairn.sion.Content;
import dev.cairn.sion.RecordWriter;
import dev.cairn.sion.TaskSlot;
import dev.cairn.sion.TaskUsage;
import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.PerTask;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One program appends to the streams of all tasks of a closed multifile, in any order.
 *
 * <p>{@link #finish} makes the appended bytes visible to readers. {@link #close} only releases the
 * physical files: if it comes first, the multifile is what it was.
 *
 * <p>Different threads may write different tasks once their writers have been asked for; this class
 * itself belongs to one thread. While one is open no other one can be, on this machine, for the
 * same multifile.
 */
public final class MultifileAppender implements Closeable {
  private final BlockStore store;
  private final List<BlockFile> files = new ArrayList<>();
  private final AppendLayout layout;
  private final PerTask<ChunkWriter> chunks = new PerTask<>(this::writer);
  private final PerTask<RecordWriter> records =
      new PerTask<>(task -> RecordWriter.of(chunks.of(task)));

  private MultifileAppender(BlockStore store, Path path) throws IOException {
    this.store = store;
    files.add(store.open(path, Access.READ_WRITE));
    try {
      requireAlone(path);
      this.layout = AppendLayout.read(store, path);
      openMembers();
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, this);
      throw failure;
    }
  }

  /** Appends to a multifile on the machine's file system. The caller finishes and closes it. */
  public static MultifileAppender open(Path path) throws IOException {
    return open(new FileBlockStore(), path);
  }

  /**
   * Appends to a multifile in {@code store}. The caller finishes and closes it.
   *
   * @throws IllegalStateException if another appender is open
   */
  public static MultifileAppender open(BlockStore store, Path path) throws IOException {
    return new MultifileAppender(store, path);
  }

  private void requireAlone(Path path) throws IOException {
    if (!files.get(0).tryLock()) {
      throw new IllegalStateException(
          path + ": another program is appending to it: wait until it has finished.");
    }
  }

  private void openMembers() throws IOException {
    for (int fileNumber = 1; fileNumber < layout.fileCount(); fileNumber++) {
      files.add(store.open(layout.file(fileNumber), Access.READ_WRITE));
    }
  }

  public int taskCount() {
    return layout.taskCount();
  }

  /** The writer of a task's plain bytes, which stands at their end; always the same one. */
  public ChunkWriter task(int task) {
    requireContent(Content.BYTES);
    return chunks.of(task);
  }

  /** The writer of a task's records, which stands at their end; always the same one. */
  public RecordWriter records(int task) {
    requireContent(Content.RECORDS);
    return records.of(task);
  }

  private ChunkWriter writer(int task) {
    TaskSlot.AppendSlot slot = layout.slot(task);
    return ChunkWriter.resume(files.get(slot.slot().fileNumber()), slot);
  }

  /**
   * Makes the appended bytes durable and visible to readers. Nothing can be written afterwards.
   *
   * @throws IllegalStateException if a task's stream or record is not whole; then nothing happened
   */
  public void finish() throws IOException {
    layout.finish(store, usages());
    close();
  }

  /**
   * What each task has written.
   *
   * @throws IllegalStateException if a task's stream or record is not whole
   */
  private List<TaskUsage> usages() {
    return IntStream.range(0, layout.taskCount()).mapToObj(this::usage).toList();
  }

  private TaskUsage usage(int task) {
    return records
        .ifMade(task)
        .map(RecordWriter::usage)
        .or(() -> chunks.ifMade(task).map(ChunkWriter::usage))
        .orElseGet(() -> layout.usage(task));
  }

  private void requireContent(Content wanted) {
    if (layout.content() != wanted) {
      throw new IllegalStateException(
          String.format(
              "%s holds %s, not %s: append what it holds.",
              layout.file(0), layout.content(), wanted));
    }
  }

  @Override
  public void close() throws IOException {
    CloseAll.close(files);
  }
}
