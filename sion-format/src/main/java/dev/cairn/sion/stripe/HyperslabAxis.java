package dev.cairn.sion.stripe;

/**
 * What a hyperslab takes of one dimension. Blocks that touch have been made one.
 *
 * @param start the first index of the first block
 * @param stride from the first index of a block to that of the next one
 * @param count how many blocks
 * @param block the indices of a block
 */
record HyperslabAxis(long start, long stride, long count, long block) {

  static HyperslabAxis of(
      int dimension, long size, long start, long stride, long count, long block) {
    if (start < 0 || count < 0 || block < 0) {
      throw new IllegalArgumentException(
          String.format(
              "Along dimension %d, %d blocks of %d from %d on: none may be negative.",
              dimension, count, block, start));
    }
    if (count == 0 || block == 0) {
      return new HyperslabAxis(start, 1, 0, 0);
    }
    if (count > 1 && stride < block) {
      throw new IllegalArgumentException(
          String.format(
              "Along dimension %d, blocks of %d overlap at a stride of %d.",
              dimension, block, stride));
    }
    // In this order no product or sum can pass 2^63 - 1. A single block needs no stride.
    long gap = Math.max(1, stride);
    if (start > size || block > size - start || count - 1 > (size - start - block) / gap) {
      throw new IllegalArgumentException(
          String.format(
              "Along dimension %d, %d blocks of %d from %d on, %d apart, leave the %d cells.",
              dimension, count, block, start, stride, size));
    }
    return stride == block
        ? new HyperslabAxis(start, block * count, 1, block * count)
        : new HyperslabAxis(start, stride, count, block);
  }

  /** Whether these are all indices of a dimension of this size. */
  boolean isWhole(long size) {
    return count == 1 && block == size;
  }

  /** How many indices are taken. */
  long indexCount() {
    return count * block;
  }

  /** The index that is number {@code position} of those taken. */
  long index(long position) {
    return start + position / block * stride + position % block;
  }
}
