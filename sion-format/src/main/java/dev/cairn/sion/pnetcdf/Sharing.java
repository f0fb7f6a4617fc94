package dev.cairn.sion.pnetcdf;

/**
 * How the bytes of a log lie in its file. The processes of a node may share a file; then each has
 * every {@code count}-th block of it. A file that is not shared has one process.
 *
 * @param number which of the processes, from 0
 * @param count how many processes share the file
 */
record Sharing(int number, int count) {
  static final long BLOCK_SIZE = 8L << 20;
  static final Sharing NONE = new Sharing(0, 1);

  /** Where the byte {@code position} of the log lies in the file. */
  long fileOffset(long position) {
    long block = Math.addExact(Math.multiplyExact(position / BLOCK_SIZE, count), number);
    return Math.addExact(Math.multiplyExact(block, BLOCK_SIZE), position % BLOCK_SIZE);
  }

  /** How many bytes from {@code position} on lie together in the file. */
  long runLength(long position) {
    return count == 1 ? Long.MAX_VALUE - position : BLOCK_SIZE - position % BLOCK_SIZE;
  }

  /** The bytes of the log in a file of {@code fileSize} bytes. */
  long size(long fileSize) {
    long roundSize = BLOCK_SIZE * count;
    long inLastRound = fileSize % roundSize - BLOCK_SIZE * number;
    return fileSize / roundSize * BLOCK_SIZE + Math.max(0, Math.min(BLOCK_SIZE, inLastRound));
  }
}
