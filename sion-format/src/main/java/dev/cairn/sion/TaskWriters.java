package dev.cairn.sion;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The writers of all tasks, for one program. Each is made when it is asked for first. */
final class TaskWriters {
  private final Content content;
  private final IntFunction<ChunkWriter> make;
  private final ChunkWriter[] chunks;
  private final RecordWriter[] records;

  TaskWriters(int taskCount, Content content, IntFunction<ChunkWriter> make) {
    this.content = content;
    this.make = make;
    this.chunks = new ChunkWriter[taskCount];
    this.records = new RecordWriter[content == Content.RECORDS ? taskCount : 0];
  }

  boolean holds(Content wanted) {
    return content == wanted;
  }

  ChunkWriter chunks(int task) {
    if (chunks[task] == null) {
      chunks[task] = make.apply(task);
    }
    return chunks[task];
  }

  RecordWriter records(int task) {
    if (records[task] == null) {
      records[task] = RecordWriter.of(chunks(task));
    }
    return records[task];
  }

  /**
   * What each task has written.
   *
   * @param untouched what a task has written whose writer nobody has asked for
   * @throws IllegalStateException if a task's stream or record is not whole
   */
  List<TaskUsage> usages(IntFunction<TaskUsage> untouched) {
    return IntStream.range(0, chunks.length)
        .mapToObj(task -> chunks[task] == null ? untouched.apply(task) : usage(task))
        .toList();
  }

  private TaskUsage usage(int task) {
    return content == Content.RECORDS ? records[task].usage() : chunks[task].usage();
  }
}
