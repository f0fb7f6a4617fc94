package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Where the frames of a stored field are cut. Each writer stored its boxes one after another, each
 * in row-major order; this stream of cells is cut into frames that can only be read whole. Frames
 * are numbered through all writers. Positions are counted in cells of the writer's stream.
 */
final class FrameTable {
  private final Distribution stored;
  private final int elementSize;

  /** In every frame but the last one of a writer. */
  private final int cellsPerFrame;

  /** Where each part begins. */
  private final long[] starts;

  /** How many cells each writer stored. */
  private final long[] cellCounts;

  /** The numbers of each writer's frames. */
  private final Ranges writers;

  FrameTable(Distribution stored, int elementSize, int frameSize) {
    if (elementSize < 1 || frameSize < elementSize || frameSize % elementSize != 0) {
      throw new IllegalArgumentException(
          String.format(
              "a frame of %d bytes does not hold a whole number of elements of %d bytes.",
              frameSize, elementSize));
    }
    this.stored = stored;
    this.elementSize = elementSize;
    this.cellsPerFrame = frameSize / elementSize;
    this.starts = new long[stored.partCount()];
    this.cellCounts = new long[stored.rankCount()];
    Arrays.setAll(cellCounts, this::lineUp);
    this.writers = new Ranges(Arrays.stream(cellCounts).map(this::framesFor).toArray());
  }

  /** Lets the parts of a writer begin one behind the other; how many cells they are. */
  private long lineUp(int writer) {
    long next = 0;
    for (int part = stored.firstPart(writer); part < stored.firstPart(writer + 1); part++) {
      starts[part] = next;
      next = Math.addExact(next, stored.part(part).box().cellCount());
    }
    return next;
  }

  private long framesFor(long cellCount) {
    return cellCount / cellsPerFrame + (cellCount % cellsPerFrame == 0 ? 0 : 1);
  }

  long frameCount() {
    return writers.count();
  }

  int writer(long frame) {
    return writers.rankOf(frame);
  }

  /** The number of a frame among those of its writer. */
  long indexInWriter(long frame) {
    return frame - writers.start(writer(frame));
  }

  /** Where the frame begins. */
  long start(long frame) {
    return indexInWriter(frame) * cellsPerFrame;
  }

  int cellCount(long frame) {
    return (int) Math.min(cellsPerFrame, cellCounts[writer(frame)] - start(frame));
  }

  int elementSize() {
    return elementSize;
  }

  /** The boxes of cells in a frame, with their positions there. */
  List<Image> images(long frame) {
    int writer = writer(frame);
    long start = start(frame);
    long end = start + cellCount(frame);
    List<Image> images = new ArrayList<>();
    for (int part = partAt(writer, start);
        part < stored.firstPart(writer + 1) && starts[part] < end;
        part++) {
      images.addAll(image(part).between(start, end));
    }
    return images;
  }

  /** The box of one cell of a frame. */
  Box cell(long frame, int position) {
    long start = start(frame) + position;
    return image(partAt(writer(frame), start)).between(start, start + 1).get(0).box();
  }

  private Image image(int part) {
    return new Image(stored.part(part).box(), starts[part]);
  }

  /** The part that has the cell at a position. */
  private int partAt(int writer, long position) {
    int at =
        Arrays.binarySearch(
            starts, stored.firstPart(writer), stored.firstPart(writer + 1), position);
    return at >= 0 ? at : -at - 2;
  }

  /** The frames in which any cell of {@code area} is stored; none comes twice for one part. */
  LongStream holding(Box area) {
    return Arrays.stream(stored.sharing(area))
        .asLongStream()
        .flatMap(part -> holding((int) part, area));
  }

  private LongStream holding(int part, Box area) {
    Image image = image(part);
    Box cells = image.box().intersection(area);
    long first = image.start() + index(image.box(), cells, 0);
    long last = image.start() + index(image.box(), cells, cells.cellCount() - 1);
    long firstFrame = writers.start(stored.part(part).rank());
    return LongStream.rangeClosed(
            firstFrame + first / cellsPerFrame, firstFrame + last / cellsPerFrame)
        .filter(frame -> holds(frame, image, cells));
  }

  private static long index(Box box, Box cells, long number) {
    return box.index(cells.cell(number));
  }

  /** The rows between the first and the last cell may jump over a frame. */
  private boolean holds(long frame, Image image, Box cells) {
    long start = start(frame);
    return image.between(start, start + cellsPerFrame).stream()
        .anyMatch(found -> found.box().intersects(cells));
  }
}
