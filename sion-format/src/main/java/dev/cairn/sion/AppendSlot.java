package dev.cairn.sion;

import java.nio.ByteBuffer;

/**
 * All that one task must know to go on with its stream in a multifile that was closed: small enough
 * to be sent to it.
 *
 * @param slot where its chunks lie
 * @param usage what it has written so far
 * @param reservedFrom the first block whose chunk of this task lies under META2 as it is now
 * @param reservedTo the first block behind those; equal to {@code reservedFrom} if there are none
 * @param carried the last bytes of its last chunk, which move behind the reserved blocks together
 *     with what follows them, so that these blocks part no two records; mostly empty
 */
public record AppendSlot(
    TaskSlot slot, TaskUsage usage, int reservedFrom, int reservedTo, ByteBuffer carried) {
  /** The block that follows one: never a reserved one, since META2 must stay good until the end. */
  long blockAfter(int block) {
    long next = block + 1L;
    return next >= reservedFrom && next < reservedTo ? reservedTo : next;
  }
}
