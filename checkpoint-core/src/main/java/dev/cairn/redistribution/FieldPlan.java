package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * How a field comes from the ranks that wrote it to those that want it: each frame that holds a
 * wanted cell is read once, by one rank, which sends its pieces to the ranks that want them.
 *
 * <p>The reader of a frame depends on the frame alone, so all ranks know it without a message: one
 * cell of it is drawn, and the first rank that wants that cell reads. So a rank reads as much as it
 * wants, nearly, and a rank with the boxes that it stored sends nothing to others. Cells are drawn
 * in the golden ratio, which spreads evenly over frames that look alike, where chance would not.
 *
 * <p>Frames are known by their numbers, and their pieces are worked out when they are needed, so a
 * plan is small however large the field. Immutable; any thread may share one.
 */
public final class FieldPlan {
  /** 2^64 divided by the golden ratio. */
  private static final long GOLDEN_STEP = 0x9e3779b97f4a7c15L;

  private final FrameTable frames;
  private final Distribution wanted;

  private FieldPlan(FrameTable frames, Distribution wanted) {
    this.frames = frames;
    this.wanted = wanted;
  }

  /**
   * A plan for one field.
   *
   * @param stored which rank wrote which boxes, one after another
   * @param wanted which rank wants which boxes
   * @param elementSize the bytes of a cell
   * @param frameSize the bytes of a frame, a multiple of {@code elementSize}; the last frame of
   *     each writer may have less
   */
  public static FieldPlan of(
      Distribution stored, Distribution wanted, int elementSize, int frameSize) {
    return new FieldPlan(new FrameTable(stored, elementSize, frameSize), wanted);
  }

  /** How many frames are stored; they are numbered from 0. */
  public long frameCount() {
    return frames.frameCount();
  }

  /** A frame with its pieces for all ranks: what its reader must know. */
  public Frame frame(long number) {
    List<Image> images = frames.images(number);
    int elementSize = frames.elementSize();
    return new Frame(
        frames.writer(number),
        frames.indexInWriter(number),
        frames.start(number) * elementSize,
        frames.cellCount(number) * elementSize,
        images,
        pieces(images));
  }

  /** The pieces of a frame for one rank, in the order in which the frame's reader sends them. */
  public List<Piece> pieces(long number, int rank) {
    List<Piece> pieces = new ArrayList<>();
    for (Image image : frames.images(number)) {
      wanted.parts(rank).forEach(part -> addPiece(part, image, pieces));
    }
    return pieces;
  }

  private List<Piece> pieces(List<Image> images) {
    List<Piece> pieces = new ArrayList<>();
    for (Image image : images) {
      for (int part : wanted.sharing(image.box())) {
        addPiece(wanted.part(part), image, pieces);
      }
    }
    return pieces;
  }

  private static void addPiece(Distribution.Part part, Image image, List<Piece> pieces) {
    Box cells = part.box().intersection(image.box());
    if (!cells.isEmpty()) {
      pieces.add(new Piece(part.rank(), part.number(), cells, image));
    }
  }

  /** One rank's share: the frames that it reads, and those that others read for it. */
  public RankShare share(int rank) {
    TreeMap<Integer, LongStream.Builder> framesByReader = new TreeMap<>();
    wanted.parts(rank).stream()
        .flatMapToLong(part -> frames.holding(part.box()))
        .sorted()
        .distinct()
        .forEach(
            frame ->
                framesByReader
                    .computeIfAbsent(reader(frame), reader -> LongStream.builder())
                    .add(frame));
    return new RankShare(rank, framesByReader);
  }

  /** The reader of a frame that holds a wanted cell. */
  private int reader(long frame) {
    long drawn = (frame * GOLDEN_STEP) >>> 32;
    int[] wanting = wanted.sharing(frames.cell(frame, draw(drawn, frames.cellCount(frame))));
    if (wanting.length > 0) {
      return wanted.part(wanting[0]).rank();
    }
    List<Piece> pieces = pieces(frames.images(frame));
    return pieces.get(draw(drawn, pieces.size())).rank();
  }

  /** The one of {@code count} things at which a number below 2^32 points. */
  private static int draw(long number, int count) {
    return (int) ((number * count) >>> 32);
  }
}
