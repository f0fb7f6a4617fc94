package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.log.Region;
import dev.cairn.sion.stripe.Hyperslab;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** The boxes of a region as those of calls of PnetCDF. */
final class RegionBoxes {
  private RegionBoxes() {}

  /** One put, or one for each box if any has strides: only a put of one box can have them. */
  static List<PutBoxes> of(Region region) {
    List<Hyperslab> boxes = region.boxes();
    if (boxes.size() == 1 || boxes.stream().anyMatch(Hyperslab::hasGaps)) {
      return boxes.stream().map(RegionBoxes::ofOne).toList();
    }
    long[][] starts = boxes.stream().map(box -> row(box, box::start)).toArray(long[][]::new);
    if (boxes.stream().allMatch(box -> box.cellCount() == 1)) {
      return List.of(PutBoxes.cells(starts));
    }
    return List.of(
        PutBoxes.varn(
            starts, boxes.stream().map(box -> row(box, box::count)).toArray(long[][]::new)));
  }

  private static PutBoxes ofOne(Hyperslab box) {
    long[] start = row(box, box::start);
    long[] count = row(box, box::count);
    return box.hasGaps()
        ? PutBoxes.vars(start, count, row(box, box::stride))
        : PutBoxes.vara(start, count);
  }

  private static long[] row(Hyperslab box, IntToLongFunction number) {
    return IntStream.range(0, box.dimensionCount()).mapToLong(number).toArray();
  }
}
