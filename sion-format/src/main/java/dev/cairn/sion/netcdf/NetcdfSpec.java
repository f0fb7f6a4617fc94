package dev.cairn.sion.netcdf;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a file holds: dimensions, attributes and variables, each in the order in which they are in
 * the header. Immutable.
 *
 * @param format the variant of the classic format
 * @param dimensions all dimensions, at most one of which is unlimited
 * @param attributes what is said about the whole file
 * @param variables all variables
 */
public record NetcdfSpec(
    NetcdfFormat format,
    List<Dimension> dimensions,
    List<Attribute> attributes,
    List<Variable> variables) {

  /** Refuses names that occur twice, and dimensions that are not listed or both unlimited. */
  public NetcdfSpec {
    dimensions = List.copyOf(dimensions);
    attributes = List.copyOf(attributes);
    variables = List.copyOf(variables);
    Names.requireDistinct("dimension", dimensions, Dimension::name);
    Names.requireDistinct("attribute of the file", attributes, Attribute::name);
    Names.requireDistinct("variable", variables, Variable::name);
    List<String> unlimited =
        dimensions.stream().filter(Dimension::isUnlimited).map(Dimension::name).toList();
    if (unlimited.size() > 1) {
      throw new IllegalArgumentException(
          String.format(
              "dimensions %s and %s have no length, but at most one may be unlimited.",
              unlimited.get(0), unlimited.get(1)));
    }
    requireListed(dimensions, variables);
  }

  private static void requireListed(List<Dimension> dimensions, List<Variable> variables) {
    HashSet<Dimension> listed = new HashSet<>(dimensions);
    for (Variable variable : variables) {
      for (Dimension dimension : variable.dimensions()) {
        if (!listed.contains(dimension)) {
          throw new IllegalArgumentException(
              String.format(
                  "variable %s has a dimension %s of length %d, which is none of the file.",
                  variable.name(), dimension.name(), dimension.length()));
        }
      }
    }
  }

  /** Describes a file step by step. */
  public static Builder builder(NetcdfFormat format) {
    return new Builder(format);
  }

  /** The dimension along which the file grows. */
  public Optional<Dimension> unlimitedDimension() {
    return dimensions.stream().filter(Dimension::isUnlimited).findFirst();
  }

  /** The variable of this name. */
  public Optional<Variable> variable(String name) {
    return variables.stream().filter(variable -> variable.name().equals(name)).findFirst();
  }

  /** The attribute of the file that has this name. */
  public Optional<Attribute> attribute(String name) {
    return attributes.stream().filter(attribute -> attribute.name().equals(name)).findFirst();
  }

  /** Collects what a file holds. One thread at a time may use it. */
  public static final class Builder {
    private final NetcdfFormat format;
    private final List<Dimension> dimensions = new ArrayList<>();
    private final List<Attribute> attributes = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();

    private Builder(NetcdfFormat format) {
      this.format = format;
    }

    public Builder dimension(String name, long length) {
      if (length < 1) {
        throw new IllegalArgumentException(
            String.format(
                "dimension %s should have a length of at least 1, not %d; only one that is declared"
                    + " unlimited has none.",
                name, length));
      }
      dimensions.add(new Dimension(name, length));
      return this;
    }

    /** The dimension along which the file grows, by records. */
    public Builder unlimited(String name) {
      dimensions.add(Dimension.unlimited(name));
      return this;
    }

    public Builder attribute(String name, String text) {
      attributes.add(Attribute.of(name, text));
      return this;
    }

    /** The attribute gets the type of the values. */
    public Builder attribute(String name, Values values) {
      attributes.add(Attribute.of(name, values));
      return this;
    }

    /** A variable without attributes. */
    public Builder variable(String name, NetcdfType type, String... dimensionNames) {
      return variable(name, type, List.of(dimensionNames), variable -> {});
    }

    /**
     * A variable with attributes.
     *
     * @param dimensionNames its dimensions, which were declared before; none for a single value
     */
    public Builder variable(
        String name,
        NetcdfType type,
        List<String> dimensionNames,
        Consumer<VariableBuilder> attributes) {
      VariableBuilder builder =
          new VariableBuilder(name, type, dimensionNames.stream().map(this::declared).toList());
      attributes.accept(builder);
      variables.add(builder.build());
      return this;
    }

    private Dimension declared(String name) {
      return dimensions.stream()
          .filter(dimension -> dimension.name().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      String.format("there is no dimension %s: declare it first.", name)));
    }

    /** The whole; whether its format allows it is checked when a layout is planned. */
    public NetcdfSpec build() {
      return new NetcdfSpec(format, dimensions, attributes, variables);
    }
  }

  /** Collects what is said about a variable. One thread at a time may use it. */
  public static final class VariableBuilder {
    private final String name;
    private final NetcdfType type;
    private final List<Dimension> dimensions;
    private final List<Attribute> attributes = new ArrayList<>();

    private VariableBuilder(String name, NetcdfType type, List<Dimension> dimensions) {
      this.name = name;
      this.type = type;
      this.dimensions = dimensions;
    }

    public VariableBuilder attribute(String attributeName, String text) {
      attributes.add(Attribute.of(attributeName, text));
      return this;
    }

    /** The attribute gets the type of the values. */
    public VariableBuilder attribute(String attributeName, Values values) {
      attributes.add(Attribute.of(attributeName, values));
      return this;
    }

    /** What cells have that nothing was written to; one value of the variable's type. */
    public VariableBuilder fillValue(Values value) {
      return attribute(Attribute.FILL_VALUE, value);
    }

    private Variable build() {
      return new Variable(name, type, dimensions, attributes);
    }
  }

  /**
   * How much room a new file leaves. More room behind the header lets it grow without moving data.
   * Immutable: each {@code with…} gives a changed copy.
   *
   * @param headerReserve the free bytes behind the header, at least
   * @param alignment the first variable begins at a multiple of this
   * @param recordAlignment the first record begins at a multiple of this
   */
  public record Spacing(long headerReserve, int alignment, int recordAlignment) {
    /** No free bytes: what NetCDF's own library does. */
    public static final Spacing NONE = new Spacing(0, Xdr.WORD, Xdr.WORD);

    private static final long MOST_RESERVE = 1L << 40;

    /** Refuses alignments that are no multiples of 4, and a reserve of more than 1 TiB. */
    public Spacing {
      if (headerReserve < 0 || headerReserve > MOST_RESERVE) {
        throw new IllegalArgumentException(
            "the reserve of a header has 0 to "
                + MOST_RESERVE
                + " bytes, not "
                + headerReserve
                + ".");
      }
      requireWords(alignment);
      requireWords(recordAlignment);
    }

    private static void requireWords(int alignment) {
      if (alignment < Xdr.WORD || alignment % Xdr.WORD != 0) {
        throw new IllegalArgumentException(
            "an alignment is a multiple of 4, not " + alignment + ".");
      }
    }

    public Spacing withHeaderReserve(long bytes) {
      return new Spacing(bytes, alignment, recordAlignment);
    }

    public Spacing withAlignment(int bytes) {
      return new Spacing(headerReserve, bytes, recordAlignment);
    }

    public Spacing withRecordAlignment(int bytes) {
      return new Spacing(headerReserve, alignment, bytes);
    }

    /** Where the first variable begins behind a header of this size. */
    long firstBegin(long headerSize) {
      return up(headerSize + headerReserve, alignment);
    }

    /** Where the first record begins behind variables that end here. */
    long firstRecord(long end) {
      return up(end, recordAlignment);
    }

    private static long up(long position, int multiple) {
      return Math.multiplyExact(Math.addExact(position, multiple - 1L) / multiple, (long) multiple);
    }
  }
}
