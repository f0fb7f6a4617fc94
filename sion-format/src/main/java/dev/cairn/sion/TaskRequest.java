package dev.cairn.sion;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What one task asks for before the multifile is laid out.
 *
 * @param globalRank the number by which the program knows the task; stored, not interpreted
 * @param chunkSize the bytes that the task wants in each block; rounded up to whole file-system
 *     blocks. 0 is legal for a task that writes nothing
 */
public record TaskRequest(long globalRank, long chunkSize) {
  public TaskRequest {
    if (chunkSize < 0) {
      throw new IllegalArgumentException(
          String.format(
              "global rank %d asks for a chunk of %d bytes: a chunk size is 0 or more.",
              globalRank, chunkSize));
    }
  }

  /** {@code taskCount} tasks with global ranks from 0 and equal chunks. */
  public static List<TaskRequest> equal(int taskCount, long chunkSize) {
    return IntStream.range(0, taskCount)
        .mapToObj(task -> new TaskRequest(task, chunkSize))
        .toList();
  }

  /** One task per chunk size, with global ranks from 0. */
  public static List<TaskRequest> ofSizes(long... chunkSizes) {
    return IntStream.range(0, chunkSizes.length)
        .mapToObj(task -> new TaskRequest(task, chunkSizes[task]))
        .toList();
  }
}
