package dev.cairn.sion.copy;

import dev.cairn.sion.ChunkWriter;
import dev.cairn.sion.Content;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.MultifileLayout;
import dev.cairn.sion.MultifileSpec;
import dev.cairn.sion.RecordView;
import dev.cairn.sion.RecordWriter;
import dev.cairn.sion.TaskRequest;
import dev.cairn.sion.TaskSlot;
import dev.cairn.sion.TaskUsage;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.copy.part.NewMultifile;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.AlignedMemory;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Copies a multifile into a new one in which every task has one chunk, as large as its stream. The
 * streams stay as they are, and so does the order of records.
 */
public final class Defragmentation {
  /** The largest that still stays in a core's cache between reading and writing. */
  private static final int BUFFER_SIZE = 1 << 18;

  private final List<TaskView> tasks;
  private final Content content;
  private final MultifileLayout layout;
  private final BlockStore store;
  private final LongConsumer copied;
  private final AlignedMemory memory = AlignedMemory.allocate(BUFFER_SIZE);

  /**
   * Prepares a copy; {@link #run} performs it.
   *
   * @param tasks the streams to copy, which become tasks 0, 1, and so on
   * @param copied called with the number of bytes copied since the last call
   */
  private Defragmentation(
      List<TaskView> tasks, BlockStore store, MultifileSpec target, LongConsumer copied) {
    this.tasks = tasks;
    this.content = target.content();
    this.layout = MultifileLayout.plan(target, requests(tasks));
    this.store = store;
    this.copied = copied;
  }

  /**
   * Copies a multifile into a new one in which every task has one chunk, as large as its stream:
   * without holes, but for those that {@code target}'s block size asks for. Streams, the order of
   * records and global ranks stay as they are. The new files get their names when all is written
   * and, if the spec says so, durable; a failure leaves none. To be called by one thread.
   *
   * @param source what to copy; all of its physical files
   * @param target what to create; with a block size, and with the content of {@code source}
   * @param copied called from time to time with the number of bytes copied since the last call
   * @throws java.nio.file.FileAlreadyExistsException if a file of this name is there, or one that
   *     another copy has left unfinished; nothing is overwritten
   */
  public static void run(
      GlobalView source, BlockStore store, MultifileSpec target, LongConsumer copied)
      throws IOException {
    run(
        IntStream.range(0, source.taskCount()).mapToObj(source::task).toList(),
        store,
        target,
        copied);
  }

  /**
   * The same with some tasks of any multifiles, which become tasks 0, 1, and so on.
   *
   * @param tasks the streams to copy
   */
  public static void run(
      List<TaskView> tasks, BlockStore store, MultifileSpec target, LongConsumer copied)
      throws IOException {
    new Defragmentation(tasks, store, target, copied).run();
  }

  private static List<TaskRequest> requests(List<TaskView> tasks) {
    return tasks.stream().map(task -> new TaskRequest(task.globalRank(), task.size())).toList();
  }

  private void run() throws IOException {
    MultifileSpec target = layout.spec();
    try (NewMultifile made =
        NewMultifile.begin(store, target.path(), layout.fileCount(), target.forcePolicy())) {
      Multifile.create(made.files(), layout);
      Multifile.close(made.files(), layout, copyStreams(made.files()));
      made.reveal();
    }
  }

  /** File after file, and in each from its start to its end. */
  private List<TaskUsage> copyStreams(BlockStore files) throws IOException {
    TaskUsage[] usages = new TaskUsage[layout.taskCount()];
    Map<Integer, List<TaskSlot>> byFile =
        IntStream.range(0, layout.taskCount())
            .mapToObj(layout::slot)
            .sorted(Comparator.comparingLong(TaskSlot::start))
            .collect(
                Collectors.groupingBy(TaskSlot::fileNumber, TreeMap::new, Collectors.toList()));
    for (Map.Entry<Integer, List<TaskSlot>> each : byFile.entrySet()) {
      try (BlockFile file = files.open(layout.file(each.getKey()), Access.READ_WRITE)) {
        for (TaskSlot slot : each.getValue()) {
          ChunkWriter target = ChunkWriter.of(file, slot);
          copyStream(tasks.get(slot.task()), target);
          usages[slot.task()] = target.usage();
        }
      }
    }
    return Arrays.asList(usages);
  }

  private void copyStream(TaskView task, ChunkWriter target) throws IOException {
    if (content == Content.RECORDS && task.metaDataOrder() != ByteOrder.LITTLE_ENDIAN) {
      copyRecords(task, RecordWriter.of(target));
    } else {
      copyBytes(task, 0, task.size(), target::append);
    }
  }

  /** The headers of records have the order of the meta data, and new meta data is little-endian. */
  private void copyRecords(TaskView task, RecordWriter target) throws IOException {
    for (RecordView.Entry entry : task.records().entries()) {
      target.begin(entry.key(), entry.length());
      copyBytes(task, entry.position(), entry.length(), target::append);
    }
  }

  private interface Sink {
    void take(ByteBuffer bytes) throws IOException;
  }

  private void copyBytes(TaskView task, long start, long length, Sink target) throws IOException {
    for (long done = 0; done < length; done += BUFFER_SIZE) {
      int count = (int) Math.min(BUFFER_SIZE, length - done);
      ByteBuffer buffer = memory.at(start + done).limit(count);
      task.read(start + done, buffer);
      target.take(buffer.flip());
      copied.accept(count);
    }
  }
}
