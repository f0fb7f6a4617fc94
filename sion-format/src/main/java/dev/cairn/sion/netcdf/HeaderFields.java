package dev.cairn.sion.netcdf;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.Range;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The field list of a header, from which reading, writing and its size are derived. The order of
 * the calls is the order on disk. All fields are big-endian, and padded to words of 4 bytes.
 */
final class HeaderFields<X extends Exception> {
  /**
   * NetCDF's own library allows 256; a damaged length must not allocate what a sparse file seems to
   * have.
   */
  private static final int LARGEST_NAME = 1 << 16;

  /** The largest value of a field of 4 bytes. As a size, it stands for all that are too large. */
  private static final long LARGEST_OF_4_BYTES = 0xffff_ffffL;

  private static final byte[] NO_BYTES = {};

  private final FieldIo<X> io;
  private final NetcdfFormat format;

  /** Those before the variables, which refer to them by their numbers. */
  private List<Dimension> dimensions = List.of();

  /** The format decides how wide the fields are. */
  HeaderFields(FieldIo<X> io, NetcdfFormat format) {
    this.io = io;
    this.format = format;
  }

  Header walk(Header header) throws X {
    io.constant("magic", format.magic());
    long recordCount = recordCount(header.recordCount());
    dimensions = list(ListTag.DIMENSION, header.dimensions(), Dimension.BLANK, this::dimension);
    List<Attribute> attributes = attributes(header.attributes());
    List<Header.Placed> variables =
        list(ListTag.VARIABLE, header.variables(), Header.Placed.BLANK, this::variable);
    return new Header(format, recordCount, dimensions, attributes, variables);
  }

  /** -1 in a field of either width is {@link Header#STREAMING}. */
  private long recordCount(long count) throws X {
    if (format.countWidth() == Long.BYTES) {
      return io.i64("numrecs", count, Range.atLeast(Header.STREAMING));
    }
    long stored = count == Header.STREAMING ? LARGEST_OF_4_BYTES : count;
    long found = io.u32("numrecs", stored);
    return found == LARGEST_OF_4_BYTES ? Header.STREAMING : found;
  }

  private Dimension dimension(Dimension item) throws X {
    String name = name(item.name());
    return new Dimension(name, count("dim_length", item.length(), Long.MAX_VALUE));
  }

  private List<Attribute> attributes(List<Attribute> items) throws X {
    return list(ListTag.ATTRIBUTE, items, Attribute.BLANK, this::attribute);
  }

  private Attribute attribute(Attribute item) throws X {
    String name = name(item.name());
    NetcdfType type = type(item.type());
    byte[] cells = new byte[item.cells().remaining()];
    item.cells().get(cells);
    long most = Attribute.MOST_BYTES / type.size();
    long count = count("nelems of values", cells.length / type.size(), most);
    byte[] found = padded("the values of an attribute", (int) count * type.size(), cells);
    return Attribute.ofCells(name, type, ByteBuffer.wrap(found));
  }

  private Header.Placed variable(Header.Placed item) throws X {
    String name = name(item.variable().name());
    List<Dimension> shape =
        elements("dimids", item.variable().dimensions(), Dimension.BLANK, this::reference);
    List<Attribute> attributes = attributes(item.variable().attributes());
    NetcdfType type = type(item.variable().type());
    Variable variable = new Variable(name, type, shape, attributes);
    size(variable.paddedByteCount());
    return new Header.Placed(variable, begin(item.begin()));
  }

  private Dimension reference(Dimension item) throws X {
    int known = Math.max(0, dimensions.indexOf(item));
    return dimensions.get((int) count("dimid", known, dimensions.size() - 1L));
  }

  /** The size of a variable: readers compute it, since the field cannot express all sizes. */
  private void size(long size) throws X {
    boolean isWide = format.countWidth() == Long.BYTES;
    number("vsize", format.countWidth(), isWide ? size : Math.min(size, LARGEST_OF_4_BYTES));
  }

  private long begin(long begin) throws X {
    long offset = io.position();
    long found = number("begin", format.beginWidth(), begin);
    if (found < 0 || found > format.lastBegin()) {
      String expected = "at most " + format.lastBegin();
      throw io.unexpected(offset, "begin", expected, Long.toUnsignedString(found));
    }
    return found;
  }

  private NetcdfType type(NetcdfType type) throws X {
    return NetcdfType.ofCode(io.i32("nc_type", type.code(), format.typeCodes()));
  }

  /** A list with a tag, as dimensions, attributes and variables are; or its absence. */
  private <T> List<T> list(ListTag tag, List<T> items, T blank, Element<T, X> element) throws X {
    String name = "the tag of the " + tag.word() + " list";
    long offset = io.position();
    long found = io.u32(name, items.isEmpty() ? ListTag.ABSENT : tag.code());
    if (found != tag.code() && found != ListTag.ABSENT) {
      throw io.unexpected(offset, name, tag.code() + " or 0", Long.toString(found));
    }
    long countOffset = io.position();
    List<T> all = elements(tag.word(), items, blank, element);
    if (found == ListTag.ABSENT && !all.isEmpty()) {
      String length = "the length of the absent " + tag.word() + " list";
      throw io.unexpected(countOffset, length, "0", Integer.toString(all.size()));
    }
    return all;
  }

  /** A count, and so many elements, each of which takes bytes of the file. */
  private <T> List<T> elements(String name, List<T> items, T blank, Element<T, X> element)
      throws X {
    long count = count("nelems of " + name, items.size(), Integer.MAX_VALUE);
    List<T> all = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      long offset = io.position();
      try {
        all.add(element.fields(number < items.size() ? items.get(number) : blank));
      } catch (IllegalArgumentException illegal) {
        throw io.misfit(offset, String.format("at byte %d %s", offset, sentence(illegal)));
      }
    }
    return all;
  }

  /** Without its full stop, so that the sentence can go on. */
  static String sentence(IllegalArgumentException illegal) {
    String message = String.valueOf(illegal.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  /** A count, a text in UTF-8, and padding. */
  private String name(String name) throws X {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    long offset = io.position();
    int length = (int) count("the length of a name", bytes.length, LARGEST_NAME);
    ByteBuffer found = ByteBuffer.wrap(padded("name", length, bytes));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(found).toString();
    } catch (CharacterCodingException malformed) {
      throw io.misfit(
          offset, String.format("the name at byte %d should be UTF-8, but is not", offset));
    }
  }

  private byte[] padded(String name, int size, byte[] bytes) throws X {
    byte[] found = io.bytes(name, size, bytes);
    io.bytes("the padding behind " + name, Xdr.padding(size), NO_BYTES);
    return found;
  }

  /** A count or a length, from 0 to {@code most}. */
  private long count(String name, long value, long most) throws X {
    long offset = io.position();
    long found = number(name, format.countWidth(), value);
    if (found < 0 || found > most) {
      String expected = most < 0 ? "absent, as there are no dimensions" : "0 to " + most;
      throw io.unexpected(offset, name, expected, Long.toUnsignedString(found));
    }
    return found;
  }

  private long number(String name, int width, long value) throws X {
    return width == Integer.BYTES ? io.u32(name, value) : io.i64(name, value, Range.ANY);
  }

  /** The fields of one element of a list. */
  private interface Element<T, X extends Exception> {
    T fields(T item) throws X;
  }
}
