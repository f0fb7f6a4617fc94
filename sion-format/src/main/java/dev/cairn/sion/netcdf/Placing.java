package dev.cairn.sion.netcdf;

import java.util.ArrayList;
import java.util.List;

/** Gives the variables of a new file their places, in the order in which they were declared. */
final class Placing {
  private final NetcdfSpec spec;
  private final long headerSize;
  private final long[] begins;
  private final long recordBegin;

  Placing(NetcdfSpec spec, NetcdfSpec.Spacing spacing) {
    this.spec = spec;
    this.begins = new long[spec.variables().size()];
    this.headerSize =
        new Header(spec.format(), 0, spec.dimensions(), spec.attributes(), variables()).size();
    try {
      long end = line(false, spacing.firstBegin(headerSize));
      this.recordBegin = spacing.firstRecord(end);
      line(true, recordBegin);
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException(
          "a file with these variables is larger than 2^63 - 1 bytes.", overflow);
    }
  }

  /** Lines up the variables with or without records from {@code begin} on; returns their end. */
  private long line(boolean isOfRecords, long begin) {
    long next = begin;
    for (int number = 0; number < begins.length; number++) {
      Variable variable = spec.variables().get(number);
      if (variable.isRecordVariable() == isOfRecords) {
        FormatLimits.requireBegin(spec.format(), variable, next);
        begins[number] = next;
        next = Math.addExact(next, variable.paddedByteCount());
      }
    }
    return next;
  }

  long headerSize() {
    return headerSize;
  }

  long recordBegin() {
    return recordBegin;
  }

  /** All variables with their places. */
  List<Header.Placed> variables() {
    List<Header.Placed> variables = new ArrayList<>();
    for (int number = 0; number < begins.length; number++) {
      variables.add(new Header.Placed(spec.variables().get(number), begins[number]));
    }
    return variables;
  }
}
