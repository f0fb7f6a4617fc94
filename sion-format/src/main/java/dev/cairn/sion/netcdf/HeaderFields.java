package dev.cairn.sion.netcdf;

import java.util.List;

/**
 * The field list of a header, from which reading, writing and its size are derived. The order of
 * the calls is the order on disk.
 */
final class HeaderFields<X extends Exception> {
  private final HeaderIo<X> io;

  /** Those before the variables, which refer to them by their numbers. */
  private List<Dimension> dimensions = List.of();

  HeaderFields(HeaderIo<X> io) {
    this.io = io;
  }

  Header walk(Header header) throws X {
    NetcdfFormat format = io.magic(header.format());
    long recordCount = io.recordCount(header.recordCount());
    dimensions = io.list(ListTag.DIMENSION, header.dimensions(), Dimension.BLANK, this::dimension);
    List<Attribute> attributes = attributes(header.attributes());
    List<Header.Placed> variables =
        io.list(ListTag.VARIABLE, header.variables(), Header.Placed.BLANK, this::variable);
    return new Header(format, recordCount, dimensions, attributes, variables);
  }

  private Dimension dimension(Dimension item) throws X {
    String name = io.name(item.name());
    return new Dimension(name, io.count("dim_length", item.length(), Long.MAX_VALUE));
  }

  private List<Attribute> attributes(List<Attribute> items) throws X {
    return io.list(ListTag.ATTRIBUTE, items, Attribute.BLANK, this::attribute);
  }

  private Attribute attribute(Attribute item) throws X {
    String name = io.name(item.name());
    NetcdfType type = io.type(item.type());
    return Attribute.ofCells(name, type, io.values(type, item.cells()));
  }

  private Header.Placed variable(Header.Placed item) throws X {
    String name = io.name(item.variable().name());
    List<Dimension> shape =
        io.elements("dimids", item.variable().dimensions(), Dimension.BLANK, this::reference);
    List<Attribute> attributes = attributes(item.variable().attributes());
    NetcdfType type = io.type(item.variable().type());
    Variable variable = new Variable(name, type, shape, attributes);
    io.size(variable.paddedByteCount());
    return new Header.Placed(variable, io.begin(item.begin()));
  }

  private Dimension reference(Dimension item) throws X {
    long number = io.count("dimid", dimensions.indexOf(item), dimensions.size() - 1L);
    return dimensions.get((int) number);
  }
}
