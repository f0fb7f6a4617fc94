package dev.cairn.sion;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;

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
    Optional<Group> group) {

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

  /**
   * The tasks with which a task shares file-system blocks.
   *
   * @param collector the number of the task that may write for all of them
   * @param taskCount how many they are
   * @param start where their chunks begin in block 0
   * @param size the bytes of all their chunks in one block
   * @param mergedPieceSize the size of the pieces into which the data of the others are cut, if all
   *     of them write the collector's stream
   */
  public record Group(
      int collector, int taskCount, long start, long size, OptionalInt mergedPieceSize) {}

  /**
   * What one task needs to continue its stream in a closed multifile: small enough to be sent to
   * it.
   *
   * @param slot where its chunks lie
   * @param usage what it has written so far
   * @param reservedFrom the first block whose chunk of this task lies under META2 as it is now
   * @param reservedTo the first block behind those; equal to {@code reservedFrom} if there are none
   * @param carried the last bytes of its last chunk, which move behind the reserved blocks together
   *     with what follows them, so that the gap never lies between two records; usually empty
   */
  public record AppendSlot(
      TaskSlot slot, TaskUsage usage, int reservedFrom, int reservedTo, ByteBuffer carried) {
    /** The next block that is not reserved. META2 must stay intact until the end. */
    long blockAfter(int block) {
      long next = block + 1L;
      return next >= reservedFrom && next < reservedTo ? reservedTo : next;
    }
  }
}
