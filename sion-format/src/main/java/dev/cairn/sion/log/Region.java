package dev.cairn.sion.log;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.Range;
import dev.cairn.sion.stripe.Hyperslab;
import java.util.Arrays;
import java.util.List;

/**
 * The cells that a put writes. Its payload has them box by box, those of a box in row-major order.
 *
 * @param variable the number of the variable, from 0
 * @param elementSize the bytes of a cell
 * @param boxes at least one, none of them empty; all name the same number of dimensions, and
 *     without dimensions there is exactly one
 */
public record Region(int variable, int elementSize, List<Hyperslab> boxes) {
  public Region {
    boxes = List.copyOf(boxes);
    if (variable < 0 || elementSize < 1) {
      throw new IllegalArgumentException(
          String.format(
              "variable %d with elements of %d bytes: variables count from 0, and an element has at"
                  + " least 1 byte.",
              variable, elementSize));
    }
    if (boxes.isEmpty() || boxes.stream().anyMatch(Hyperslab::isEmpty)) {
      throw new IllegalArgumentException("a region has at least one box, and a box one cell.");
    }
    int dimensions = boxes.get(0).dimensionCount();
    if (boxes.stream().anyMatch(box -> box.dimensionCount() != dimensions)
        || (dimensions == 0 && boxes.size() > 1)) {
      throw new IllegalArgumentException(
          "the boxes of a region have the same number of dimensions, and without dimensions there"
              + " is one box.");
    }
    byteCount(elementSize, boxes);
  }

  /** The initial value for reading. */
  static final Region BLANK = new Region(0, 1, List.of(Hyperslab.of(new long[0], new long[0])));

  private static final int FIXED_SIZE = 4 * Integer.BYTES;

  /** The field list. */
  static <X extends Exception> Region fields(FieldIo<X> io, Region region) throws X {
    int variable = io.i32("variable", region.variable, Range.atLeast(0));
    int elementSize = io.i32("elementSize", region.elementSize, Range.atLeast(1));
    int dimensions =
        io.i32("dimensionCount", region.dimensionCount(), new Range(0, LogFormat.MOST_HEAD_SIZE));
    int mostBoxes = dimensions == 0 ? 1 : LogFormat.MOST_HEAD_SIZE;
    int boxCount = io.i32("boxCount", region.boxes.size(), new Range(1, mostBoxes));
    long[] numbers = io.row64("boxes", 3L * dimensions * boxCount, region.numbers());
    try {
      return new Region(variable, elementSize, boxesOf(boxCount, dimensions, numbers));
    } catch (IllegalArgumentException illegal) {
      throw io.misfit(0, String.valueOf(illegal.getMessage()));
    }
  }

  /** As on disk: of each box all starts, then all counts, then all strides. */
  private long[] numbers() {
    int dimensions = dimensionCount();
    long[] numbers = new long[3 * dimensions * boxes.size()];
    for (int index = 0; index < numbers.length; index++) {
      Hyperslab box = boxes.get(index / dimensions / 3);
      int dimension = index % dimensions;
      numbers[index] =
          switch (index / dimensions % 3) {
            case 0 -> box.start(dimension);
            case 1 -> box.count(dimension);
            default -> box.stride(dimension);
          };
    }
    return numbers;
  }

  private static List<Hyperslab> boxesOf(int boxCount, int dimensions, long[] numbers) {
    Hyperslab[] boxes = new Hyperslab[boxCount];
    for (int box = 0; box < boxCount; box++) {
      long[][] rows = new long[3][];
      for (int row = 0; row < rows.length; row++) {
        int from = (3 * box + row) * dimensions;
        rows[row] = Arrays.copyOfRange(numbers, from, from + dimensions);
      }
      boxes[box] = Hyperslab.of(rows[0], rows[1], rows[2]);
    }
    return Arrays.asList(boxes);
  }

  /** The bytes of its fields. */
  long fieldSize() {
    return FIXED_SIZE + 3L * Long.BYTES * dimensionCount() * boxes.size();
  }

  public int dimensionCount() {
    return boxes.get(0).dimensionCount();
  }

  /** The bytes of all cells. */
  public long byteCount() {
    return byteCount(elementSize, boxes);
  }

  private static long byteCount(int elementSize, List<Hyperslab> boxes) {
    try {
      long cells = 0;
      for (Hyperslab box : boxes) {
        cells = Math.addExact(cells, box.cellCount());
      }
      return Math.multiplyExact(cells, (long) elementSize);
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException("a region has at most 2^63 - 1 bytes.", overflow);
    }
  }
}
