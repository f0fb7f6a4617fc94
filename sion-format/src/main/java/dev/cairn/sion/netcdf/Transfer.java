package dev.cairn.sion.netcdf;

import dev.cairn.sion.stripe.Hyperslab;

/** What must hold before values are moved between an array and a file. */
final class Transfer {
  /** The most elements of a Java array. */
  static final int MOST_VALUES = Integer.MAX_VALUE - 8;

  private Transfer() {}

  /** Refuses values of which there are too many or too few, or that cannot be converted. */
  static void require(Variable variable, Hyperslab section, Values values) {
    if (section.cellCount() != values.count()) {
      throw new IllegalArgumentException(
          String.format(
              "the hyperslab of variable %s has %d values, but the array has %d.",
              variable.name(), section.cellCount(), values.count()));
    }
    if (!Conversion.isPossible(variable.type(), values.type())) {
      throw new IllegalArgumentException(
          String.format(
              "variable %s is of type %s and the array of type %s: text and numbers are not"
                  + " converted into each other.",
              variable.name(), variable.type(), values.type()));
    }
  }
}
