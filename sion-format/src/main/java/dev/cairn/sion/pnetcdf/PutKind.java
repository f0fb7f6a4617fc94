package dev.cairn.sion.pnetcdf;

/** The calls that leave entries in a log; other calls are logged as one of these. */
public enum PutKind {
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

  PutKind(int vectorCount) {
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
  int code(HeaderLayout layout, int boxCount) {
    int sign = layout == HeaderLayout.A ? 1 : -1;
    return switch (this) {
      case VARA -> sign * VARA_CODE;
      case VARS -> sign * VARS_CODE;
      case VARN, VARN_CELLS -> boxCount;
    };
  }

  /**
   * The boxes of an entry with this {@code api_kind}, which has {@code numbers} numbers for boxes.
   *
   * @throws IllegalArgumentException if there are no such boxes
   */
  static PutBoxes boxes(HeaderLayout layout, int code, int dimensions, long[] numbers) {
    if (code == VARA.code(layout, 1)) {
      return new PutBoxes(VARA, 1, dimensions, numbers);
    }
    if (code == VARS.code(layout, 1)) {
      return new PutBoxes(VARS, 1, dimensions, numbers);
    }
    if (code < 1 || layout == HeaderLayout.A) {
      throw new IllegalArgumentException("api_kind should be that of a put, but is " + code);
    }
    boolean isOfCells = numbers.length == (long) code * dimensions;
    return new PutBoxes(isOfCells ? VARN_CELLS : VARN, code, dimensions, numbers);
  }
}
