package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfLayout;
import dev.cairn.sion.netcdf.Variable;
import dev.cairn.sion.stripe.Hyperslab;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what is put to each variable. One thread at a time. */
final class ShareCount {
  private final NetcdfLayout layout;
  private final long recordCount;
  private final Map<Integer, Counts> byVariable = new TreeMap<>();

  private static final class Counts {
    private long putCount;
    private long valueCount;
    private final Coverage coverage = new Coverage();
  }

  /** For a file that will have {@code recordCount} records. */
  ShareCount(NetcdfLayout layout, long recordCount) {
    this.layout = layout;
    this.recordCount = recordCount;
  }

  /** Counts a put, whose cells are in the file. */
  void add(StagedPut put) {
    Counts counts = byVariable.computeIfAbsent(put.variable(), variable -> new Counts());
    PutBoxes boxes = put.boxes();
    counts.putCount++;
    counts.valueCount += boxes.cellCount();
    String name = variable(put.variable()).name();
    for (int number = 0; number < boxes.boxCount(); number++) {
      Hyperslab box = boxes.box(number);
      if (!box.isEmpty()) {
        layout.extents(name, box, recordCount).forEach(counts.coverage::add);
      }
    }
  }

  /** By the number of the variable. */
  List<BurstReplay.VariableShare> shares() {
    return byVariable.entrySet().stream()
        .map(entry -> share(variable(entry.getKey()), entry.getValue()))
        .toList();
  }

  private static BurstReplay.VariableShare share(Variable variable, Counts counts) {
    long cells = counts.coverage.size() / variable.type().size();
    return new BurstReplay.VariableShare(
        variable.name(), counts.putCount, counts.valueCount, cells);
  }

  private Variable variable(int number) {
    return layout.spec().variables().get(number);
  }
}
