package dev.cairn.sion.netcdf;

/**
 * How much room a new file leaves. More room behind the header lets it grow without moving data.
 * Immutable: each {@code with…} gives a changed copy.
 *
 * @param headerReserve the free bytes behind the header, at least
 * @param alignment the first variable begins at a multiple of this
 * @param recordAlignment the first record begins at a multiple of this
 */
public record Spacing(long headerReserve, int alignment, int recordAlignment) {
  /** No free bytes: what NetCDF's own library does. */
  public static final Spacing NONE = new Spacing(0, Xdr.WORD, Xdr.WORD);

  private static final long MOST_RESERVE = 1L << 40;

  /** Refuses alignments that are no multiples of 4, and a reserve of more than 1 TiB. */
  public Spacing {
    if (headerReserve < 0 || headerReserve > MOST_RESERVE) {
      throw new IllegalArgumentException(
          "the reserve of a header has 0 to "
              + MOST_RESERVE
              + " bytes, not "
              + headerReserve
              + ".");
    }
    requireWords(alignment);
    requireWords(recordAlignment);
  }

  private static void requireWords(int alignment) {
    if (alignment < Xdr.WORD || alignment % Xdr.WORD != 0) {
      throw new IllegalArgumentException("an alignment is a multiple of 4, not " + alignment + ".");
    }
  }

  public Spacing withHeaderReserve(long bytes) {
    return new Spacing(bytes, alignment, recordAlignment);
  }

  public Spacing withAlignment(int bytes) {
    return new Spacing(headerReserve, bytes, recordAlignment);
  }

  public Spacing withRecordAlignment(int bytes) {
    return new Spacing(headerReserve, alignment, bytes);
  }

  /** Where the first variable begins behind a header of this size. */
  long firstBegin(long headerSize) {
    return up(headerSize + headerReserve, alignment);
  }

  /** Where the first record begins behind variables that end here. */
  long firstRecord(long end) {
    return up(end, recordAlignment);
  }

  private static long up(long position, int multiple) {
    return Math.multiplyExact(Math.addExact(position, multiple - 1L) / multiple, (long) multiple);
  }
}
