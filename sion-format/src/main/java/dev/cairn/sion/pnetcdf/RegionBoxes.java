package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.log.Region;
import dev.cairn.sion.log.StridedBox;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** The boxes of a region as those of calls of PnetCDF. */
final class RegionBoxes {
  private RegionBoxes() {}

  /** One put, or one for each box if any has strides: only a put of one box can have them. */
  static List<PutBoxes> of(Region region) {
    List<StridedBox> boxes = region.boxes();
    if (boxes.size() == 1 || boxes.stream().anyMatch(RegionBoxes::hasStride)) {
      return boxes.stream().map(RegionBoxes::ofOne).toList();
    }
    long[][] starts = boxes.stream().map(RegionBoxes::starts).toArray(long[][]::new);
    if (boxes.stream().allMatch(box -> box.cellCount() == 1)) {
      return List.of(PutBoxes.cells(starts));
    }
    return List.of(
        PutBoxes.varn(starts, boxes.stream().map(RegionBoxes::counts).toArray(long[][]::new)));
  }

  private static PutBoxes ofOne(StridedBox box) {
    return hasStride(box)
        ? PutBoxes.vars(starts(box), counts(box), row(box, box::stride))
        : PutBoxes.vara(starts(box), counts(box));
  }

  private static boolean hasStride(StridedBox box) {
    for (int dimension = 0; dimension < box.dimensionCount(); dimension++) {
      if (box.stride(dimension) > 1) {
        return true;
      }
    }
    return false;
  }

  private static long[] starts(StridedBox box) {
    return row(box, box::start);
  }

  private static long[] counts(StridedBox box) {
    return row(box, box::count);
  }

  private static long[] row(StridedBox box, IntToLongFunction coordinate) {
    return IntStream.range(0, box.dimensionCount()).mapToLong(coordinate).toArray();
  }
}
