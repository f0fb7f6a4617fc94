package dev.cairn.sion;

import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What one task needs to write its stream: small enough to be sent to it.
 *
 * @param task its number in the multifile
 * @param fileNumber the physical file that holds its chunks
 * @param start where its chunk in block 0 begins
 * @param stride from one of its chunks to the next
 * @param chunkSize the most bytes that it may write into a chunk
 * @param metaDataOrder the byte order of the headers of its records
 * @param group the tasks with which it shares blocks; empty if no task of the multifile shares any
 */
public record TaskSlot(
    int task,
    int fileNumber,
    long start,
    long stride,
    long chunkSize,
    ByteOrder metaDataOrder,
    Optional<TaskGroup> group) {

  /**
   * Where a byte of the task's chunk in a block lies in the physical file. {@link ChunkWriter}
   * calls it for what it writes, and a rank that copies the stream of a task calls it for both
   * ends.
   *
   * @param offset from the beginning of the chunk
   */
  public long position(long block, long offset) {
    return start + block * stride + offset;
  }
}
