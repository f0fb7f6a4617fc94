package dev.cairn.sion;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Copies a multifile into a new one in which every task has one chunk, as large as its stream. The
 * streams stay as they are, and so does the order of records.
 */
final class Defragmentation {
  /** The largest that still stays in a core's cache between reading and writing. */
  private static final int BUFFER_SIZE = 1 << 18;

  private final List<TaskView> tasks;
  private final Content content;
  private final MultifileLayout layout;
  private final PartStore parts;
  private final LongConsumer copied;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

  /**
   * A copy that has not begun.
   *
   * @param tasks the streams to copy, which become tasks 0, 1, and so on
   * @param copied is told how many more bytes have been copied
   */
  Defragmentation(
      List<TaskView> tasks, BlockStore store, MultifileSpec target, LongConsumer copied) {
    this.tasks = tasks;
    this.content = target.content();
    this.layout = MultifileLayout.plan(target, requests(tasks));
    this.parts = new PartStore(store, target.path(), layout.fileCount(), target.forcePolicy());
    this.copied = copied;
  }

  private static List<TaskRequest> requests(List<TaskView> tasks) {
    return tasks.stream().map(task -> new TaskRequest(task.globalRank(), task.size())).toList();
  }

  void run() throws IOException {
    parts.requireNothingThere();
    try {
      Multifile.create(parts, layout);
      Multifile.close(parts, layout, copyStreams());
      parts.reveal();
    } catch (IOException | RuntimeException failure) {
      parts.discard(failure);
      throw failure;
    }
  }

  private List<TaskUsage> copyStreams() throws IOException {
    TaskUsage[] usages = new TaskUsage[layout.taskCount()];
    for (int fileNumber = 0; fileNumber < layout.fileCount(); fileNumber++) {
      Path path = layout.file(fileNumber);
      FileLayout plan = layout.fileLayout(fileNumber);
      try (BlockFile file = parts.open(path, Access.READ_WRITE)) {
        for (int localRank = 0; localRank < plan.taskCount(); localRank++) {
          int task = plan.task(localRank);
          ChunkWriter target = ChunkWriter.of(file, layout.slot(task));
          copyStream(tasks.get(task), target);
          usages[task] = target.usage();
        }
      }
    }
    return Arrays.asList(usages);
  }

  private void copyStream(TaskView task, ChunkWriter target) throws IOException {
    if (content == Content.RECORDS && task.metaOrder() != ByteOrder.LITTLE_ENDIAN) {
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
    for (long done = 0; done < length; done += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
      task.read(start + done, buffer);
      target.take(buffer.flip());
      copied.accept(buffer.limit());
    }
  }
}
