package dev.cairn.sion.stripe;

import dev.cairn.sion.stripe.LocalExtent.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Divides a request among the sub-files: {@link LocalExtent#of}. */
final class RequestSplit {
  private final SubFileLayout layout;

  /** For each sub-file that is touched, the parts of each of its local extents. */
  private final SortedMap<Integer, List<List<Part>>> parts = new TreeMap<>();

  private RequestSplit(SubFileLayout layout) {
    this.layout = layout;
  }

  static List<LocalExtent> of(SubFileLayout layout, Selection selection) {
    RequestSplit split = new RequestSplit(layout);
    long memoryPosition = 0;
    for (Extent extent : selection) {
      split.add(extent, memoryPosition);
      memoryPosition += extent.length();
    }
    return split.extents();
  }

  private void add(Extent extent, long memoryPosition) {
    long memoryShift = memoryPosition - extent.offset();
    layout.forEachLocal(
        extent.offset(),
        extent.length(),
        (subFile, local, length) -> add(subFile, new Part(new Extent(local, length), memoryShift)));
  }

  private void add(int subFile, Part part) {
    List<List<Part>> extents = parts.computeIfAbsent(subFile, none -> new ArrayList<>());
    if (extents.isEmpty() || lastOf(lastOf(extents)).local().end() != part.local().offset()) {
      extents.add(new ArrayList<>());
    }
    lastOf(extents).add(part);
  }

  private static <T> T lastOf(List<T> list) {
    return list.get(list.size() - 1);
  }

  private List<LocalExtent> extents() {
    List<LocalExtent> extents = new ArrayList<>();
    parts.forEach(
        (subFile, ofSubFile) ->
            ofSubFile.forEach(each -> extents.add(new LocalExtent(layout, subFile, each))));
    return List.copyOf(extents);
  }
}
