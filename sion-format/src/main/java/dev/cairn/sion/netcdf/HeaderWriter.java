package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the field list into memory. What the fields cannot hold is a bug: it was refused when the
 * layout was planned.
 */
final class HeaderWriter implements HeaderIo<RuntimeException> {
  /** The largest value of a field of 4 bytes. As a size, it stands for all that are too large. */
  private static final long LARGEST_OF_4_BYTES = 0xffff_ffffL;

  private final ByteBuffer header;
  private NetcdfFormat format = NetcdfFormat.CDF_1;

  /** {@code header} is big-endian and large enough. */
  HeaderWriter(ByteBuffer header) {
    this.header = header;
  }

  @Override
  public NetcdfFormat magic(NetcdfFormat itsFormat) {
    format = itsFormat;
    header.put((byte) 'C').put((byte) 'D').put((byte) 'F').put((byte) itsFormat.version());
    return itsFormat;
  }

  @Override
  public long recordCount(long count) {
    put(count, format.countWidth());
    return count;
  }

  @Override
  public <T> List<T> list(
      ListTag tag, List<T> items, T blank, Element<T, RuntimeException> element) {
    header.putInt(items.isEmpty() ? ListTag.ABSENT : tag.code());
    return elements(tag.word(), items, blank, element);
  }

  @Override
  public <T> List<T> elements(
      String name, List<T> items, T blank, Element<T, RuntimeException> element) {
    put(items.size(), format.countWidth());
    items.forEach(element::fields);
    return items;
  }

  @Override
  public String name(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    put(bytes.length, format.countWidth());
    putPadded(ByteBuffer.wrap(bytes));
    return name;
  }

  @Override
  public long count(String name, long value, long most) {
    check(name, value, 0, most);
    check(name, value, 0, format == NetcdfFormat.CDF_5 ? Long.MAX_VALUE : LARGEST_OF_4_BYTES);
    put(value, format.countWidth());
    return value;
  }

  @Override
  public NetcdfType type(NetcdfType type) {
    header.putInt(type.code());
    return type;
  }

  @Override
  public ByteBuffer values(NetcdfType type, ByteBuffer cells) {
    put(cells.remaining() / type.size(), format.countWidth());
    putPadded(cells.duplicate());
    return cells;
  }

  @Override
  public void size(long size) {
    put(
        format == NetcdfFormat.CDF_5 ? size : Math.min(size, LARGEST_OF_4_BYTES),
        format.countWidth());
  }

  @Override
  public long begin(long begin) {
    check("begin", begin, 0, format.lastBegin());
    put(begin, format.beginWidth());
    return begin;
  }

  private void putPadded(ByteBuffer bytes) {
    int padding = Xdr.padding(bytes.remaining());
    header.put(bytes).put(new byte[padding]);
  }

  private void put(long value, int width) {
    if (width == Integer.BYTES) {
      header.putInt((int) value);
    } else {
      header.putLong(value);
    }
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new AssertionError(
          String.format(
              "%s should be %d to %d, but is %d: please report this fault of Cairn.",
              name, least, most, value));
    }
  }
}
