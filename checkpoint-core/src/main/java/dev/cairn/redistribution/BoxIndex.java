package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds those of many boxes that share cells with a given one: a tree in which each node knows the
 * hull of all boxes below it. Immutable; any thread may ask.
 */
final class BoxIndex {
  /** Few enough that to look at each is as fast as to look at two more hulls. */
  private static final int LEAF_BOXES = 4;

  private final Box[] boxes;

  /** The numbers of the boxes; those of a leaf follow each other. */
  private final int[] order;

  private final @Nullable Node root;

  private sealed interface Node {
    Box hull();
  }

  private record Fork(Box hull, Node low, Node high) implements Node {}

  private record Leaf(Box hull, int from, int to) implements Node {}

  /**
   * An index of boxes that are not empty, by their numbers in the array.
   *
   * @param boxes kept, and not to be changed any more
   */
  BoxIndex(Box[] boxes) {
    this.boxes = boxes;
    this.order = IntStream.range(0, boxes.length).toArray();
    this.root = boxes.length == 0 ? null : build(0, boxes.length);
  }

  /** The numbers of all boxes that share cells with {@code area}, in rising order. */
  int[] sharing(Box area) {
    Found found = new Found();
    if (root != null) {
      collect(root, area, found);
    }
    return found.sorted();
  }

  private void collect(Node node, Box area, Found found) {
    if (!node.hull().intersects(area)) {
      return;
    }
    if (node instanceof Fork fork) {
      collect(fork.low, area, found);
      collect(fork.high, area, found);
    } else if (node instanceof Leaf leaf) {
      for (int place = leaf.from; place < leaf.to; place++) {
        if (boxes[order[place]].intersects(area)) {
          found.add(order[place]);
        }
      }
    }
  }

  /** The numbers found so far: mostly one or two, and every rank asks several times. */
  private static final class Found {
    private int[] numbers = new int[4];
    private int count;

    void add(int number) {
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = number;
    }

    int[] sorted() {
      int[] sorted = Arrays.copyOf(numbers, count);
      Arrays.sort(sorted);
      return sorted;
    }
  }

  /** Splits in the middle of the dimension in which the boxes' starts are furthest apart. */
  private Node build(int from, int to) {
    Box hull = hull(from, to);
    int dimension = widestDimension(from, to, hull);
    long spread = spread(from, to, hull, dimension);
    if (to - from <= LEAF_BOXES || spread == 0) {
      return new Leaf(hull, from, to);
    }
    int border = partition(from, to, dimension, hull.start(dimension) + spread / 2);
    return new Fork(hull, build(from, border), build(border, to));
  }

  private Box hull(int from, int to) {
    long[] start = new long[boxes[0].dimensions()];
    long[] extents = new long[start.length];
    for (int dimension = 0; dimension < start.length; dimension++) {
      long first = Long.MAX_VALUE;
      long end = Long.MIN_VALUE;
      for (int place = from; place < to; place++) {
        Box box = boxes[order[place]];
        first = Math.min(first, box.start(dimension));
        end = Math.max(end, box.end(dimension));
      }
      start[dimension] = first;
      extents[dimension] = end - first;
    }
    return Box.of(start, extents);
  }

  private int widestDimension(int from, int to, Box hull) {
    int widest = 0;
    for (int dimension = 1; dimension < hull.dimensions(); dimension++) {
      if (spread(from, to, hull, dimension) > spread(from, to, hull, widest)) {
        widest = dimension;
      }
    }
    return widest;
  }

  private long spread(int from, int to, Box hull, int dimension) {
    long last = Long.MIN_VALUE;
    for (int place = from; place < to; place++) {
      last = Math.max(last, boxes[order[place]].start(dimension));
    }
    return last - hull.start(dimension);
  }

  /** Moves the boxes that begin at {@code middle} or before to the front; where they end. */
  private int partition(int from, int to, int dimension, long middle) {
    int border = from;
    for (int next = from; next < to; next++) {
      int number = order[next];
      if (boxes[number].start(dimension) <= middle) {
        order[next] = order[border];
        order[border++] = number;
      }
    }
    return border;
  }
}
