package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.stripe.Hyperslab;
import java.util.Arrays;

/**
 * The boxes of a put, all of the same number of dimensions. Where a box has no cells, or a variable
 * no dimensions, there are no indices to ask for. Immutable.
 */
public final class PutBoxes {
  private final Kind kind;
  private final int boxCount;
  private final int dimensionCount;

  /** As on disk: the starts of all boxes, then their counts, then their strides. */
  private final long[] numbers;

  private final long cellCount;

  /** Owns {@code numbers}, and throws {@link IllegalArgumentException} if they are no boxes. */
  PutBoxes(Kind kind, int boxCount, int dimensionCount, long[] numbers) {
    this.kind = kind;
    this.boxCount = boxCount;
    this.dimensionCount = dimensionCount;
    this.numbers = numbers;
    long perBox = (long) kind.vectorCount() * dimensionCount;
    if (perBox > 0 ? numbers.length != perBox * boxCount : numbers.length != 0) {
      throw new IllegalArgumentException(
          String.format(
              "%d boxes of %d dimensions should have %d numbers, but there are %d",
              boxCount, dimensionCount, perBox * boxCount, numbers.length));
    }
    this.cellCount = checkedCellCount();
  }

  /** {@code count} cells in each dimension, from {@code start} on. */
  public static PutBoxes vara(long[] start, long[] count) {
    return of(Kind.VARA, 1, start.length, start, count, new long[start.length]);
  }

  /** As {@link #vara}, but each index is {@code stride} behind the one before. */
  public static PutBoxes vars(long[] start, long[] count, long[] stride) {
    return of(Kind.VARS, 1, start.length, start, count, stride);
  }

  /** Boxes without gaps, each with a row of {@code starts} and one of {@code counts}. */
  public static PutBoxes varn(long[][] starts, long[][] counts) {
    long[][] rows = Arrays.copyOf(starts, starts.length + counts.length);
    System.arraycopy(counts, 0, rows, starts.length, counts.length);
    return of(Kind.VARN, starts.length, dimensionsOf(starts), rows);
  }

  /** Single cells. */
  public static PutBoxes cells(long[][] starts) {
    return of(Kind.VARN_CELLS, starts.length, dimensionsOf(starts), starts);
  }

  private static int dimensionsOf(long[][] starts) {
    if (starts.length == 0) {
      throw new IllegalArgumentException("a put has at least one box");
    }
    return starts[0].length;
  }

  private static PutBoxes of(Kind kind, int boxCount, int dimensions, long[]... rows) {
    return new PutBoxes(
        kind, boxCount, dimensions, Arrays.stream(rows).flatMapToLong(Arrays::stream).toArray());
  }

  private long checkedCellCount() {
    if (dimensionCount == 0) {
      return boxCount;
    }
    try {
      long cells = 0;
      for (int box = 0; box < boxCount; box++) {
        cells = Math.addExact(cells, checkedCellCount(box));
      }
      return cells;
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException("a put should have at most 2^63 - 1 cells", overflow);
    }
  }

  private long checkedCellCount(int box) {
    long cells = 1;
    for (int dimension = 0; dimension < dimensionCount; dimension++) {
      requireLegal(box, dimension);
      cells = Math.multiplyExact(cells, count(box, dimension));
    }
    return cells;
  }

  private void requireLegal(int box, int dimension) {
    long start = start(box, dimension);
    long count = count(box, dimension);
    long stride = stride(box, dimension);
    boolean isLegal =
        start >= 0
            && count >= 0
            && stride >= 1
            && (count == 0 || count - 1 <= (Long.MAX_VALUE - start) / stride);
    if (!isLegal) {
      throw new IllegalArgumentException(
          String.format(
              "dimension %d of box %d should have cells up to 2^63 - 1, but has start %d, count %d,"
                  + " stride %d",
              dimension, box, start, count, stride));
    }
    if (kind == Kind.VARA && number(2, box, dimension) != 0) {
      throw new IllegalArgumentException(
          String.format(
              "zeros should be in the place of the strides, but dimension %d has %d",
              dimension, number(2, box, dimension)));
    }
  }

  private long number(int vector, int box, int dimension) {
    return numbers[(vector * boxCount + box) * dimensionCount + dimension];
  }

  /** The call that was logged. */
  public Kind kind() {
    return kind;
  }

  public int boxCount() {
    return boxCount;
  }

  public int dimensionCount() {
    return dimensionCount;
  }

  /** The first index in {@code dimension}. */
  public long start(int box, int dimension) {
    return number(0, box, dimension);
  }

  /** How many indices there are in {@code dimension}. */
  public long count(int box, int dimension) {
    return kind == Kind.VARN_CELLS ? 1 : number(1, box, dimension);
  }

  /** The distance of two indices in {@code dimension}. */
  public long stride(int box, int dimension) {
    return kind == Kind.VARS ? number(2, box, dimension) : 1;
  }

  /** The cells of one box. */
  public Hyperslab box(int box) {
    long[] start = new long[dimensionCount];
    long[] count = new long[dimensionCount];
    long[] stride = new long[dimensionCount];
    Arrays.setAll(start, dimension -> start(box, dimension));
    Arrays.setAll(count, dimension -> count(box, dimension));
    Arrays.setAll(stride, dimension -> stride(box, dimension));
    return Hyperslab.of(start, count, stride);
  }

  /** The cells of all boxes. */
  public long cellCount() {
    return cellCount;
  }

  /** As on disk. */
  long[] numbers() {
    return numbers;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PutBoxes that
        && kind == that.kind
        && boxCount == that.boxCount
        && dimensionCount == that.dimensionCount
        && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * kind.hashCode() + boxCount) + Arrays.hashCode(numbers);
  }

  /** The first box, and how many there are. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("start ").append(row(this::start)).append(" count ").append(row(this::count));
    if (kind == Kind.VARS) {
      text.append(" stride ").append(row(this::stride));
    }
    return boxCount == 1 ? text.toString() : text + " and " + (boxCount - 1) + " more";
  }

  /** A number of a box in a dimension. */
  private interface Coordinate {
    long of(int box, int dimension);
  }

  private String row(Coordinate coordinate) {
    long[] row = new long[dimensionCount];
    Arrays.setAll(row, dimension -> coordinate.of(0, dimension));
    return Arrays.toString(row);
  }

  /** The calls that leave entries in a log; other calls are logged as one of these. */
  public enum Kind {
    /** One box without gaps; zeros lie in the place of its strides. */
    VARA(3),

    /** One box with strides. */
    VARS(3),

    /** Boxes without gaps. */
    VARN(2),

    /** Boxes of one cell each, of which only the starts are stored. */
    VARN_CELLS(1);

    private static final int VARA_CODE = 3;
    private static final int VARS_CODE = 4;

    private final int vectorCount;

    Kind(int vectorCount) {
      this.vectorCount = vectorCount;
    }

    /** The call, as PnetCDF names it. */
    public String call() {
      return switch (this) {
        case VARA -> "vara";
        case VARS -> "vars";
        case VARN, VARN_CELLS -> "varn";
      };
    }

    /** How many numbers are stored for each box and dimension. */
    int vectorCount() {
      return vectorCount;
    }

    /** What the field {@code api_kind} is for a put of {@code boxCount} boxes. */
    int code(MetaHeader.Layout layout, int boxCount) {
      int sign = layout == MetaHeader.Layout.A ? 1 : -1;
      return switch (this) {
        case VARA -> sign * VARA_CODE;
        case VARS -> sign * VARS_CODE;
        case VARN, VARN_CELLS -> boxCount;
      };
    }

    /**
     * The boxes of an entry with this {@code api_kind}, which has {@code numbers} numbers for
     * boxes.
     *
     * @throws IllegalArgumentException if there are no such boxes
     */
    static PutBoxes boxes(MetaHeader.Layout layout, int code, int dimensions, long[] numbers) {
      if (code == VARA.code(layout, 1)) {
        return new PutBoxes(VARA, 1, dimensions, numbers);
      }
      if (code == VARS.code(layout, 1)) {
        return new PutBoxes(VARS, 1, dimensions, numbers);
      }
      if (code < 1 || layout == MetaHeader.Layout.A) {
        throw new IllegalArgumentException("api_kind should be that of a put, but is " + code);
      }
      boolean isOfCells = numbers.length == (long) code * dimensions;
      return new PutBoxes(isOfCells ? VARN_CELLS : VARN, code, dimensions, numbers);
    }
  }
}
