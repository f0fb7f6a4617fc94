package dev.cairn.sion;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.PerTask;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One program writes the streams of all tasks, in any order.
 *
 * <p>{@link #finish} makes the multifile whole. {@link #close} only releases the physical files: if
 * it comes first, as it does when an exception leaves a try block, the multifile stays unfinished
 * and no reader takes it for a good one.
 *
 * <p>Different threads may write different tasks once their writers have been asked for; this class
 * itself belongs to one thread.
 */
public final class MultifileWriter implements Closeable {
  private final BlockStore store;
  private final MultifileLayout layout;
  private final BlockFile[] files;
  private final PerTask<ChunkWriter> chunks = new PerTask<>(this::writer);
  private final PerTask<RecordWriter> records =
      new PerTask<>(task -> RecordWriter.of(chunks.of(task)));

  private MultifileWriter(BlockStore store, MultifileLayout layout) {
    this.store = store;
    this.layout = layout;
    this.files = new BlockFile[layout.fileCount()];
  }

  /** Creates a multifile on the machine's file system. The caller finishes and closes it. */
  public static MultifileWriter create(MultifileSpec spec, List<TaskRequest> requests)
      throws IOException {
    return create(new FileBlockStore(), spec, requests);
  }

  /** Creates a multifile in {@code store}. The caller finishes and closes it. */
  public static MultifileWriter create(
      BlockStore store, MultifileSpec spec, List<TaskRequest> requests) throws IOException {
    requireOneWriter(spec);
    MultifileLayout layout = MultifileLayout.plan(spec.resolve(store), requests);
    MultifileWriter writer = new MultifileWriter(store, layout);
    try {
      new Creation(store, layout).run((fileNumber, file) -> writer.files[fileNumber] = file);
      return writer;
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, writer);
      throw failure;
    }
  }

  public int taskCount() {
    return layout.taskCount();
  }

  /** The writer of a task's plain bytes; always the same one. */
  public ChunkWriter task(int task) {
    requireContent(Content.BYTES);
    return chunks.of(task);
  }

  /** The writer of a task's records; always the same one. */
  public RecordWriter records(int task) {
    requireContent(Content.RECORDS);
    return records.of(task);
  }

  /**
   * Writes META2 and closes the multifile for good: nothing can be written any more.
   *
   * @throws IllegalStateException if a task's stream or record is not whole; then nothing happened
   */
  public void finish() throws IOException {
    new Closing(layout, usages()).run(store, files);
    close();
  }

  @Override
  public void close() throws IOException {
    CloseAll.close(Stream.of(files).filter(Objects::nonNull).toList());
  }

  private ChunkWriter writer(int task) {
    TaskSlot slot = layout.slot(task);
    return ChunkWriter.of(files[slot.fileNumber()], slot);
  }

  private static void requireOneWriter(MultifileSpec spec) {
    if (spec.grouping().isMerged() || spec.buddyLevels() > 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: merged groups and buddies are written by ranks that send each other bytes, and"
                  + " this is one program for all tasks: leave them out.",
              spec.path()));
    }
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
        .orElse(TaskUsage.EMPTY);
  }

  private void requireContent(Content wanted) {
    if (layout.spec().content() != wanted) {
      throw new IllegalStateException(
          String.format(
              "%s holds %s, not %s: create it with that content.",
              layout.spec().path(), layout.spec().content(), wanted));
    }
  }
}
