package dev.cairn.sion.netcdf;

import dev.cairn.sion.stripe.Hyperslab;
import dev.cairn.sion.stripe.Selection;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the bytes of a file lie: pure arithmetic without I/O. Variables without records lie behind
 * the header, one behind the other. The records follow; each has a part of every record variable.
 * Immutable, so any thread may use it.
 */
public final class NetcdfLayout {
  private final NetcdfSpec spec;
  private final List<Header.Placed> variables;
  private final Map<String, VariablePlace> places = new LinkedHashMap<>();
  private final long headerSize;
  private final long recordSize;

  /** Where the first record begins or would begin. */
  private final long recordBegin;

  private NetcdfLayout(
      NetcdfSpec spec, long headerSize, List<Header.Placed> variables, long recordBegin) {
    this.spec = spec;
    this.headerSize = headerSize;
    this.variables = List.copyOf(variables);
    this.recordSize = recordSize(spec.variables());
    this.recordBegin = recordBegin;
    for (Header.Placed each : variables) {
      places.put(each.variable().name(), place(each));
    }
  }

  /**
   * Plans a new file without free bytes, as NetCDF's own library does.
   *
   * @throws IllegalArgumentException if the format has no room for what the file is to hold
   */
  public static NetcdfLayout plan(NetcdfSpec spec) {
    return plan(spec, NetcdfSpec.Spacing.NONE);
  }

  /**
   * Plans a new file.
   *
   * @throws IllegalArgumentException if the format has no room for what the file is to hold
   */
  public static NetcdfLayout plan(NetcdfSpec spec, NetcdfSpec.Spacing spacing) {
    FormatLimits.require(spec);
    Placing placing = new Placing(spec, spacing);
    return new NetcdfLayout(spec, placing.headerSize(), placing.variables(), placing.recordBegin());
  }

  /** The layout of a file that exists. */
  static NetcdfLayout of(Header header, long headerSize) {
    List<Header.Placed> placed = header.variables();
    NetcdfSpec spec =
        new NetcdfSpec(
            header.format(),
            header.dimensions(),
            header.attributes(),
            placed.stream().map(Header.Placed::variable).toList());
    return new NetcdfLayout(spec, headerSize, placed, Overlaps.recordBegin(headerSize, placed));
  }

  /** A record variable that is alone has no padding. */
  static long recordSize(List<Variable> variables) {
    List<Variable> parts = variables.stream().filter(Variable::isRecordVariable).toList();
    return parts.size() == 1
        ? parts.get(0).byteCount()
        : parts.stream().mapToLong(Variable::paddedByteCount).reduce(0, Math::addExact);
  }

  private VariablePlace place(Header.Placed placed) {
    Variable variable = placed.variable();
    boolean isPacked = variable.isRecordVariable() && recordSize == variable.byteCount();
    return new VariablePlace(
        variable,
        placed.begin(),
        variable.isRecordVariable() ? recordSize : variable.paddedByteCount(),
        isPacked ? 0 : Xdr.padding(variable.byteCount()));
  }

  /** What the file holds. */
  public NetcdfSpec spec() {
    return spec;
  }

  /** The bytes of the header; the first variable may begin later. */
  public long headerSize() {
    return headerSize;
  }

  /** Where the first cell of a variable lies. */
  public long begin(String variable) {
    return place(variable).begin();
  }

  /** The bytes of a record, 0 if no variable has records. */
  public long recordSize() {
    return recordSize;
  }

  /** The size of a file with so many records. */
  public long size(long recordCount) {
    requireRecordCount(recordCount);
    return recordBegin + recordSize * recordCount;
  }

  /** The most records that can be counted and whose bytes have positions below 2^63. */
  public long mostRecords() {
    if (spec.unlimitedDimension().isEmpty()) {
      return 0;
    }
    long counted = spec.format().mostLength();
    return recordSize == 0
        ? counted
        : Math.min(counted, (Long.MAX_VALUE - recordBegin) / recordSize);
  }

  /**
   * The least size of a file that lacks nothing but cells at the end of what lies last in it: the
   * last record, of which it has at least a byte, or else the last variable without records.
   */
  long leastSize(long recordCount) {
    if (recordCount > 0 && recordSize > 0) {
      return size(recordCount - 1) + 1;
    }
    List<VariablePlace> ascending =
        places.values().stream()
            .filter(place -> !place.variable().isRecordVariable())
            .sorted(Comparator.comparingLong(VariablePlace::begin))
            .toList();
    return ascending.size() < 2 ? headerSize : ascending.get(ascending.size() - 2).end(recordCount);
  }

  /** How many whole records a file of this size has room for. */
  long recordsWithin(long fileSize) {
    return recordSize == 0 ? 0 : Math.max(0, fileSize - recordBegin) / recordSize;
  }

  /**
   * The bytes of a section of a variable, ascending, in the order of its values.
   *
   * @param recordCount how many records the file has, or will have
   * @throws IllegalArgumentException if the section is not within the variable
   */
  public Selection extents(String variable, Hyperslab section, long recordCount) {
    requireRecordCount(recordCount);
    VariablePlace place = place(variable);
    return place.extents(complete(place, section, recordCount), recordCount);
  }

  /**
   * How many values a section of a variable has.
   *
   * @param recordCount how many records the file has, or will have
   * @throws IllegalArgumentException if the section is not within the variable
   */
  public long valueCount(String variable, Hyperslab section, long recordCount) {
    requireRecordCount(recordCount);
    return complete(place(variable), section, recordCount).cellCount();
  }

  static Hyperslab complete(VariablePlace place, Hyperslab section, long recordCount) {
    return section.within(
        "variable " + place.variable().name(), place.variable().shape(recordCount));
  }

  /** The bytes with which the file begins. */
  public ByteBuffer header(long recordCount) {
    requireRecordCount(recordCount);
    return new Header(spec.format(), recordCount, spec.dimensions(), spec.attributes(), variables)
        .encoded();
  }

  /** The variables that have cells behind the end of a file of this size. */
  List<String> cutBy(long fileSize, long recordCount) {
    return places.values().stream()
        .filter(place -> place.end(recordCount) > fileSize)
        .map(place -> place.variable().name())
        .toList();
  }

  VariablePlace place(String variable) {
    VariablePlace place = places.get(variable);
    if (place == null) {
      throw new IllegalArgumentException(
          String.format("there is no variable %s, only %s.", variable, places.keySet()));
    }
    return place;
  }

  void requireRecordCount(long recordCount) {
    if (recordCount < 0 || recordCount > mostRecords()) {
      throw new IllegalArgumentException(
          String.format("this file can have 0 to %d records, not %d.", mostRecords(), recordCount));
    }
  }
}
