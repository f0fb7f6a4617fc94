package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.store.PositionedOutput;
import dev.cairn.sion.stripe.Extent;
import dev.cairn.sion.stripe.Hyperslab;
import dev.cairn.sion.stripe.Selection;
import dev.cairn.sion.stripe.StoredArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What logs hold for one variable: the smallest box of cells that has all to which something was
 * put. Nothing is known of the variable but its puts. It uses the set that it is of.
 */
public final class VariableOverlay {
  private static final int WINDOW_SIZE = 1 << 18;

  private final BurstLogSet set;
  private final int variable;
  private final StagedPut.MemoryType type;
  private final ByteOrder order;
  private final Coverage coverage = new Coverage();
  private Hyperslab box;
  private long putBytes;

  /** Begins with the first put that is not empty. */
  private VariableOverlay(BurstLogSet set, BurstLog log, StagedPut first, Hyperslab firstBox) {
    this.set = set;
    this.variable = first.variable();
    this.type = first.type();
    this.order = orderOf(log);
    this.box = firstBox;
  }

  /**
   * Looks at all puts of {@code variable}.
   *
   * @throws BurstLogException if there are none, they differ in type, byte order or dimensions, or
   *     their box is larger than any file
   */
  public static VariableOverlay of(BurstLogSet set, int variable) throws IOException {
    @Nullable VariableOverlay overlay = null;
    for (BurstLog log : set.logs()) {
      for (int number = 0; number < log.putCount(); number++) {
        StagedPut put = log.put(number);
        if (put.variable() == variable && put.dataSize() > 0) {
          List<Hyperslab> boxes = boxesOf(put);
          overlay = overlay == null ? new VariableOverlay(set, log, put, boxes.get(0)) : overlay;
          overlay.requireFit(log, number, put);
          overlay.include(boxes);
        }
      }
    }
    if (overlay == null) {
      throw new BurstLogException(
          set.name(), String.format("nothing was put to variable %d.", variable));
    }
    overlay.cover();
    return overlay;
  }

  /** Those that have cells. */
  private static List<Hyperslab> boxesOf(StagedPut put) {
    return IntStream.range(0, put.boxes().boxCount())
        .mapToObj(put.boxes()::box)
        .filter(box -> !box.isEmpty())
        .toList();
  }

  private static ByteOrder orderOf(BurstLog log) {
    return log.header().orElseThrow().order();
  }

  private void requireFit(BurstLog log, int number, StagedPut put) throws BurstLogException {
    if (put.type() != type
        || !orderOf(log).equals(order)
        || put.boxes().dimensionCount() != box.dimensionCount()) {
      throw new BurstLogException(
          log.name().meta(),
          String.format(
              "put %d of variable %d differs from earlier ones in type, byte order or"
                  + " dimensions: only a replay can bring them together.",
              number, variable));
    }
  }

  private void include(List<Hyperslab> boxes) throws BurstLogException {
    try {
      for (Hyperslab other : boxes) {
        box = box.hullWith(other);
      }
      Math.multiplyExact(box.cellCount(), type.size());
    } catch (ArithmeticException | IllegalArgumentException overflow) {
      throw new BurstLogException(
          set.name(),
          String.format(
              "the puts of variable %d are so far apart that no file has room for their box.",
              variable));
    }
  }

  private void cover() throws IOException {
    forEachBox(
        BurstReplay.OverlapOrder.LAST,
        (log, put, cells, position) -> {
          for (Extent extent : extents(cells)) {
            coverage.add(extent);
            putBytes += extent.length();
          }
        });
  }

  /** Where the values of a box lie, from which the extents come in the order of the values. */
  private Selection extents(Hyperslab cells) {
    // A last dimension of length 1, which no box names, makes arrays also of single cells.
    long[] shape = Arrays.copyOf(count(), box.dimensionCount() + 1);
    shape[box.dimensionCount()] = 1;
    return StoredArray.of(0, type.size(), shape).hyperslab(cells.relativeTo(box));
  }

  /** The type of the values. */
  public StagedPut.MemoryType type() {
    return type;
  }

  /** The byte order of the values. */
  public ByteOrder order() {
    return order;
  }

  /** The first index of the box in each dimension. */
  public long[] start() {
    return row(box::start);
  }

  /** How many indices the box has in each dimension. */
  public long[] count() {
    return row(box::count);
  }

  private long[] row(IntToLongFunction number) {
    return IntStream.range(0, box.dimensionCount()).mapToLong(number).toArray();
  }

  /** The cells of the box. */
  public long cellCount() {
    return box.cellCount();
  }

  /** The cells of the box to which something was put. */
  public long coveredCells() {
    return coverage.size() / type.size();
  }

  /** How many values would be lost, since others are put to the same cells. */
  public long overlappingCells() {
    return (putBytes - coverage.size()) / type.size();
  }

  /** The bytes of the box. */
  public long size() {
    return box.cellCount() * type.size();
  }

  /** The bytes that {@link #writeTo} writes. */
  public long putBytes() {
    return putBytes;
  }

  /**
   * Writes the values to their places in the box, in row-major order. Cells to which nothing was
   * put are not touched.
   *
   * @param written called with the number of bytes written since the last call
   * @throws BurstLogException if puts overlap and the order does not allow it; nothing was written
   */
  public void writeTo(PositionedOutput out, BurstReplay.OverlapOrder order, LongConsumer written)
      throws IOException {
    if (order == BurstReplay.OverlapOrder.ERROR && overlappingCells() > 0) {
      throw new BurstLogException(
          set.name(),
          String.format(
              "%d cells of variable %d were put more than once. Choose which put counts: the last"
                  + " or the first.",
              overlappingCells(), variable));
    }
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_SIZE, putBytes));
    forEachBox(
        order,
        (log, put, cells, position) -> {
          long next = position;
          for (Extent extent : extents(cells)) {
            for (long done = 0; done < extent.length(); done += window.limit()) {
              window.clear().limit((int) Math.min(window.capacity(), extent.length() - done));
              log.read(put, next + done, window);
              out.write(extent.offset() + done, window.flip());
              written.accept(window.limit());
            }
            next += extent.length();
          }
        });
  }

  /** What is done with a box, whose values begin at {@code position} of those of its put. */
  private interface BoxVisitor {
    void visit(BurstLog log, StagedPut put, Hyperslab cells, long position) throws IOException;
  }

  private void forEachBox(BurstReplay.OverlapOrder order, BoxVisitor visitor) throws IOException {
    new PutSequence(set.logs(), order)
        .forEach(
            (log, number, put) -> {
              if (put.variable() == variable) {
                new BoxSequence(put.boxes(), order)
                    .forEach(
                        (each, first) -> visitor.visit(log, put, each, first * put.type().size()));
              }
            });
  }
}
