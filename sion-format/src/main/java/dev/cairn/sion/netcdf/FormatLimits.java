package dev.cairn.sion.netcdf;

import java.util.List;

/** What a new file must comply with, so that every program reads it. */
final class FormatLimits {
  private final NetcdfSpec spec;
  private final NetcdfFormat format;

  private FormatLimits(NetcdfSpec spec) {
    this.spec = spec;
    this.format = spec.format();
  }

  /** Refuses, in words, what the format has no room for. */
  static void require(NetcdfSpec spec) {
    FormatLimits limits = new FormatLimits(spec);
    spec.dimensions().forEach(limits::requireDimension);
    limits.requireAttributes("the file", spec.attributes());
    spec.variables().forEach(limits::requireVariable);
    limits.requireSizes();
  }

  private void requireDimension(Dimension dimension) {
    Names.requireLegal("dimension", dimension.name());
    if (dimension.length() > format.mostLength()) {
      throw new IllegalArgumentException(
          String.format(
              "dimension %s has the length %d, but in %s the most is %d. %s",
              dimension.name(), dimension.length(), format, format.mostLength(), remedy()));
    }
  }

  private void requireAttributes(String owner, List<Attribute> attributes) {
    for (Attribute attribute : attributes) {
      Names.requireLegal("attribute", attribute.name());
      requireType("attribute " + attribute.name() + " of " + owner, attribute.type());
      requireReadable(owner, attribute);
    }
  }

  private static void requireReadable(String owner, Attribute attribute) {
    int byteCount = attribute.cells().remaining();
    if (byteCount > Attribute.MOST_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "attribute %s of %s has %d bytes, but at most %d are possible. Store its values in a"
                  + " variable.",
              attribute.name(), owner, byteCount, Attribute.MOST_BYTES));
    }
  }

  private void requireVariable(Variable variable) {
    Names.requireLegal("variable", variable.name());
    requireType("variable " + variable.name(), variable.type());
    requireAttributes("variable " + variable.name(), variable.attributes());
    variable.attribute(Attribute.FILL_VALUE).ifPresent(fill -> requireFill(variable, fill));
  }

  private void requireType(String owner, NetcdfType type) {
    if (!format.has(type)) {
      throw new IllegalArgumentException(
          String.format("%s has the type %s, which only CDF-5 has, not %s.", owner, type, format));
    }
  }

  private static void requireFill(Variable variable, Attribute fill) {
    if (fill.type() != variable.type() || fill.count() != 1) {
      throw new IllegalArgumentException(
          String.format(
              "the _FillValue of variable %s should be one %s, but is %d of type %s.",
              variable.name(), variable.type(), fill.count(), fill.type()));
    }
  }

  /** Positions reach 2^31 or 2^32 at the beginning of a variable only, so the last has no limit. */
  private void requireSizes() {
    List<Variable> fixed =
        spec.variables().stream().filter(each -> !each.isRecordVariable()).toList();
    List<Variable> records = spec.variables().stream().filter(Variable::isRecordVariable).toList();
    boolean isLastFree = records.isEmpty();
    requireSizes(fixed, isLastFree);
    requireSizes(records, true);
  }

  private void requireSizes(List<Variable> variables, boolean isLastFree) {
    for (int number = 0; number < variables.size(); number++) {
      boolean isFree = isLastFree && number == variables.size() - 1;
      Variable variable = variables.get(number);
      if (!isFree && variable.byteCount() > format.mostLength()) {
        throw new IllegalArgumentException(
            String.format(
                "variable %s has %d bytes%s, but in %s only the last variable may have more than"
                    + " %d, if no others have records. Declare it last, or choose %s.",
                variable.name(),
                variable.byteCount(),
                variable.isRecordVariable() ? " in each record" : "",
                format,
                format.mostLength(),
                NetcdfFormat.CDF_5));
      }
    }
  }

  /** Refuses a place that the header cannot express. */
  static void requireBegin(NetcdfFormat format, Variable variable, long begin) {
    if (begin > format.lastBegin()) {
      throw new IllegalArgumentException(
          String.format(
              "variable %s would begin at byte %d, but in %s the last possible one is %d. Choose"
                  + " %s.",
              variable.name(), begin, format, format.lastBegin(), NetcdfFormat.CDF_5));
    }
  }

  private String remedy() {
    return format == NetcdfFormat.CDF_1
        ? "Choose CDF-2 or CDF-5."
        : format == NetcdfFormat.CDF_2 ? "Choose CDF-5." : "Use more dimensions.";
  }
}
