package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import dev.cairn.grid.Halo;
import dev.cairn.grid.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Which cells the ranks give each other to fill the halos of their blocks, as one rank sees it.
 *
 * <p>A periodic array repeats itself in all directions, and each repetition is known by its shift:
 * by how many times the array's extents it lies aside. What one rank wants from another one's block
 * under a shift, the other one gives under the opposite shift. So both find the same pieces without
 * a message, and both put them into the same order, that of the receiver's blocks, of the shifts as
 * the receiver sees them, and of the sender's blocks.
 *
 * <p>Immutable; any thread may share one.
 */
public final class HaloPlan {
  private final Shape shape;
  private final Halo halo;
  private final List<Box> blocks;
  private final List<Neighbour> neighbours;

  /**
   * Cells of one block, whose places are those in its array, and in a message.
   *
   * @param block which of this rank's blocks it is
   */
  public record Piece(int block, Runs runs) {}

  /**
   * What this rank and another one exchange; or this one with itself, across a periodic edge or
   * from block to block.
   *
   * @param gives the pieces that this rank sends, one behind the other
   * @param wants the pieces that it receives
   */
  public record Neighbour(
      int rank, List<Piece> gives, long giveCount, List<Piece> wants, long wantCount) {}

  private HaloPlan(Shape shape, Halo halo, List<Box> blocks, int rank, Holders holders) {
    this.shape = shape;
    this.halo = halo;
    this.blocks = blocks;
    this.neighbours =
        links(rank, holders).entrySet().stream()
            .map(entry -> neighbour(entry.getKey(), entry.getValue()))
            .toList();
  }

  /**
   * The plan of one rank.
   *
   * @param blocks the boxes of this rank, whose arrays hold their halos, too
   * @param holders finds the boxes of all ranks, among them these
   */
  public static HaloPlan of(Shape shape, Halo halo, List<Box> blocks, int rank, Holders holders) {
    return new HaloPlan(shape, halo, List.copyOf(blocks), rank, holders);
  }

  /** The exchange partners, in the order of their ranks. */
  public List<Neighbour> neighbours() {
    return neighbours;
  }

  /**
   * A block of this rank and one of another, or of its own.
   *
   * @param shift the place of the shift among all shifts, in rising order
   * @param gives the cells of this rank's block that are in the halo of the other one
   * @param wants the cells of this block's halo that the other one owns
   */
  private record Link(int block, int shift, int otherBlock, Box gives, Box wants) {
    /** As this rank enumerates its received pieces. */
    static final Comparator<Link> AS_RECEIVED =
        Comparator.comparingInt(Link::block)
            .thenComparingInt(Link::shift)
            .thenComparingInt(Link::otherBlock);

    /** As the other rank enumerates its received pieces, for which shifts are opposite. */
    static final Comparator<Link> AS_SENT =
        Comparator.comparingInt(Link::otherBlock)
            .thenComparing(Comparator.comparingInt(Link::shift).reversed())
            .thenComparingInt(Link::block);
  }

  private Map<Integer, List<Link>> links(int rank, Holders holders) {
    Map<Integer, List<Link>> links = new TreeMap<>();
    List<long[]> shifts = shifts();
    for (int number = 0; number < blocks.size(); number++) {
      for (int shift = 0; shift < shifts.size(); shift++) {
        addLinks(rank, number, shift, shifts.get(shift), holders, links);
      }
    }
    return links;
  }

  private void addLinks(
      int rank,
      int number,
      int shift,
      long[] times,
      Holders holders,
      Map<Integer, List<Link>> links) {
    Box block = blocks.get(number);
    for (Distribution.Part part : holders.in(moved(halo.around(block), times, -1))) {
      boolean isSame = part.rank() == rank && part.number() == number && isZero(times);
      if (!isSame) {
        Box other = moved(part.box(), times, 1);
        Box gives = halo.around(other).intersection(block);
        Box wants = halo.around(block).intersection(other);
        links
            .computeIfAbsent(part.rank(), any -> new ArrayList<>())
            .add(new Link(number, shift, part.number(), gives, wants));
      }
    }
  }

  private static boolean isZero(long[] shift) {
    return Arrays.stream(shift).allMatch(times -> times == 0);
  }

  /** The repetitions of the array into which halos of blocks reach, in rising order. */
  private List<long[]> shifts() {
    List<long[]> shifts = new ArrayList<>();
    if (shape.cellCount() > 0) {
      addShifts(new long[shape.dimensions()], 0, shifts);
    }
    return shifts;
  }

  private void addShifts(long[] shift, int dimension, List<long[]> shifts) {
    if (dimension == shift.length) {
      shifts.add(shift.clone());
      return;
    }
    long reach = reach(dimension);
    for (shift[dimension] = -reach; shift[dimension] <= reach; shift[dimension]++) {
      addShifts(shift, dimension + 1, shifts);
    }
  }

  /** Into how many repetitions the halo of a block at the edge of the array reaches. */
  private long reach(int dimension) {
    long extent = shape.extent(dimension);
    return halo.isPeriodic(dimension) ? (halo.width(dimension) + extent - 1) / extent : 0;
  }

  /** The box, moved by a shift as often as {@code times} says. */
  private Box moved(Box box, long[] shift, int times) {
    long[] start = new long[shift.length];
    long[] extents = new long[shift.length];
    for (int d = 0; d < start.length; d++) {
      start[d] = box.start(d) + times * shift[d] * shape.extent(d);
      extents[d] = box.extent(d);
    }
    return Box.of(start, extents);
  }

  private Neighbour neighbour(int rank, List<Link> links) {
    List<Link> sent = links.stream().sorted(Link.AS_SENT).toList();
    List<Link> received = links.stream().sorted(Link.AS_RECEIVED).toList();
    return new Neighbour(
        rank,
        pieces(sent, Link::gives),
        count(sent, Link::gives),
        pieces(received, Link::wants),
        count(received, Link::wants));
  }

  private List<Piece> pieces(List<Link> links, Function<Link, Box> cells) {
    List<Piece> pieces = new ArrayList<>();
    long position = 0;
    for (Link link : links) {
      pieces.add(piece(link.block, cells.apply(link), position));
      position += cells.apply(link).cellCount();
    }
    return pieces;
  }

  private static long count(List<Link> links, Function<Link, Box> cells) {
    return links.stream().mapToLong(link -> cells.apply(link).cellCount()).sum();
  }

  private Piece piece(int number, Box cells, long position) {
    Image array = Image.of(halo.around(blocks.get(number)));
    return new Piece(number, Runs.of(cells, array, new Image(cells, position)));
  }
}
