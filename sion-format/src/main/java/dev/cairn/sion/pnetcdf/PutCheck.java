package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfLayout;
import dev.cairn.sion.netcdf.NetcdfType;
import dev.cairn.sion.netcdf.Variable;
import dev.cairn.sion.stripe.Hyperslab;
import java.nio.file.Path;
import java.util.List;

/**
 * Compares puts with the NetCDF file for which they should be.
 *
 * @param file the file
 * @param layout what its header says
 */
record PutCheck(Path file, NetcdfLayout layout) {

  /** Refuses a put that is not for the file. */
  void require(PutTitle title, StagedPut put) throws BurstLogException {
    Variable variable = variable(title, put.variable());
    if ((put.type() == StagedPut.MemoryType.TEXT) != (variable.type() == NetcdfType.CHAR)) {
      throw title.unfit(
          String.format(
              "it has values of type %s, but variable %s of %s is of type %s",
              put.type(), variable.name(), file, variable.type()));
    }
    requireCells(title, variable, put.boxes());
  }

  /** The variable of this number. */
  Variable variable(PutTitle title, int number) throws BurstLogException {
    List<Variable> variables = layout.spec().variables();
    if (number >= variables.size()) {
      throw title.unfit(
          String.format(
              "it is of variable %d, but %s has only %d", number, file, variables.size()));
    }
    return variables.get(number);
  }

  /** Refuses cells that the variable cannot have. */
  void requireCells(PutTitle title, Variable variable, PutBoxes boxes) throws BurstLogException {
    int dimensions = variable.dimensions().size();
    if (boxes.dimensionCount() != dimensions) {
      throw title.unfit(
          String.format(
              "it has %d dimensions, but variable %s of %s has %d",
              boxes.dimensionCount(), variable.name(), file, dimensions));
    }
    for (int number = 0; number < boxes.boxCount(); number++) {
      Hyperslab box = boxes.box(number);
      if (!box.isEmpty()) {
        requireCells(title, variable, box);
      }
    }
  }

  private void requireCells(PutTitle title, Variable variable, Hyperslab box)
      throws BurstLogException {
    try {
      layout.valueCount(variable.name(), box, layout.mostRecords());
    } catch (IllegalArgumentException outside) {
      throw title.unfit(withoutStop(outside));
    }
  }

  private static String withoutStop(IllegalArgumentException refusal) {
    String sentence = String.valueOf(refusal.getMessage());
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
