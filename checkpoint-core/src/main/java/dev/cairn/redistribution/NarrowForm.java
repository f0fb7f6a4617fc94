package dev.cairn.redistribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Wide cells in the form of a narrower type: every block of them passes through a small buffer. */
final class NarrowForm {
  private static final int BLOCK_CELLS = 1024;

  private final Cells wide;
  private final Widening widening;

  NarrowForm(Cells wide, Widening widening) {
    this.wide = wide;
    this.widening = widening;
  }

  Cells cells() {
    return new Cells(
        widening.narrowSize(), wide.isInMemory(), this::writing, this::reading, this::digesting);
  }

  private Runs.Visitor writing(ByteBuffer target) {
    ByteBuffer block = block(widening.wideSize());
    Runs.Visitor fill = wide.writer(block);
    return inBlocks(
        (here, there, count) -> {
          fill.visit(here, 0, count);
          widening.narrow(block, target, (int) there, count);
        });
  }

  private Runs.Visitor reading(ByteBuffer source) {
    ByteBuffer block = block(widening.wideSize());
    Runs.Visitor drain = wide.reader(block);
    return inBlocks(
        (here, there, count) -> {
          widening.widen(source, (int) there, block, count);
          drain.visit(here, 0, count);
        });
  }

  private Runs.Visitor digesting(CellDigester digester) {
    ByteBuffer narrow = block(widening.narrowSize());
    Runs.Visitor fill = writing(narrow);
    return inBlocks(
        (here, there, count) -> {
          fill.visit(here, 0, count);
          digester.add(narrow, widening.narrowSize(), 0, count, there);
        });
  }

  private static Runs.Visitor inBlocks(Runs.Visitor visitor) {
    return (here, there, count) -> {
      for (int done = 0; done < count; done += BLOCK_CELLS) {
        visitor.visit(here + done, there + done, Math.min(BLOCK_CELLS, count - done));
      }
    };
  }

  private static ByteBuffer block(int elementSize) {
    return ByteBuffer.allocate(BLOCK_CELLS * elementSize).order(ByteOrder.LITTLE_ENDIAN);
  }
}
