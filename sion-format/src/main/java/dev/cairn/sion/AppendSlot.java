package dev.cairn.sion;

import java.nio.ByteBuffer;

/**
 * What one task needs to continue its stream in a closed multifile: small enough to be sent to it.
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
