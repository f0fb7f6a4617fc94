package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.store.PositionedOutput;
import dev.cairn.sion.stripe.LogicalExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What logs hold for one variable: the smallest box of cells that has all to which something was
 * put. Nothing is known of the variable but its puts. It uses the set that it is of.
 */
public final class VariableOverlay {
  private static final int WINDOW_SIZE = 1 << 18;

  private final BurstLogSet set;
  private final int variable;
  private final OverlayBox box;
  private final Coverage coverage = new Coverage();
  private long putBytes;

  private VariableOverlay(BurstLogSet set, int variable, OverlayBox box) {
    this.set = set;
    this.variable = variable;
    this.box = box;
  }

  /**
   * Looks at all puts of {@code variable}.
   *
   * @throws BurstLogException if there are none, they differ in type, byte order or dimensions, or
   *     their box is larger than any file
   */
  public static VariableOverlay of(BurstLogSet set, int variable) throws IOException {
    VariableOverlay overlay = new VariableOverlay(set, variable, addressable(set, variable));
    overlay.cover();
    return overlay;
  }

  private static OverlayBox addressable(BurstLogSet set, int variable) throws IOException {
    try {
      OverlayBox box = boxOf(set, variable);
      box.size();
      return box;
    } catch (ArithmeticException overflow) {
      throw new BurstLogException(
          set.name(),
          String.format(
              "the puts of variable %d are so far apart that no file has room for their box.",
              variable));
    }
  }

  private static OverlayBox boxOf(BurstLogSet set, int variable) throws IOException {
    @Nullable OverlayBox box = null;
    for (BurstLog log : set.logs()) {
      for (int number = 0; number < log.putCount(); number++) {
        StagedPut put = log.put(number);
        if (put.variable() == variable && put.dataSize() > 0) {
          ByteOrder order = log.header().orElseThrow().order();
          if (box == null) {
            box = new OverlayBox(put, order);
          } else if (!box.fits(put, order)) {
            throw new BurstLogException(
                log.name().meta(),
                String.format(
                    "put %d of variable %d differs from earlier ones in type, byte order or"
                        + " dimensions: only a replay can bring them together.",
                    number, variable));
          }
          box.include(put.boxes());
        }
      }
    }
    if (box == null) {
      throw new BurstLogException(
          set.name(), String.format("nothing was put to variable %d.", variable));
    }
    return box;
  }

  private void cover() throws IOException {
    forEachBox(
        OverlapOrder.LAST,
        (log, put, number, position) -> {
          for (LogicalExtent extent : box.extents(put.boxes(), number)) {
            coverage.add(extent);
            putBytes += extent.length();
          }
        });
  }

  /** The type of the values. */
  public MemoryType type() {
    return box.type();
  }

  /** The byte order of the values. */
  public ByteOrder order() {
    return box.order();
  }

  /** The first index of the box in each dimension. */
  public long[] start() {
    return box.start();
  }

  /** How many indices the box has in each dimension. */
  public long[] count() {
    return box.count();
  }

  /** The cells of the box. */
  public long cellCount() {
    return box.cellCount();
  }

  /** The cells of the box to which something was put. */
  public long coveredCells() {
    return coverage.size() / box.type().size();
  }

  /** How many values would be lost, since others are put to the same cells. */
  public long overlappingCells() {
    return (putBytes - coverage.size()) / box.type().size();
  }

  /** The bytes of the box. */
  public long size() {
    return box.size();
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
  public void writeTo(PositionedOutput out, OverlapOrder order, LongConsumer written)
      throws IOException {
    if (order == OverlapOrder.ERROR && overlappingCells() > 0) {
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
        (log, put, number, position) -> {
          long next = position;
          for (LogicalExtent extent : box.extents(put.boxes(), number)) {
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
    void visit(BurstLog log, StagedPut put, int number, long position) throws IOException;
  }

  private void forEachBox(OverlapOrder order, BoxVisitor visitor) throws IOException {
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
