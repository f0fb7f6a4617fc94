package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Walks the field list to learn how many bytes a header has; nothing is read or written. */
final class HeaderMeter implements HeaderIo<RuntimeException> {
  private NetcdfFormat format = NetcdfFormat.CDF_1;
  private long position;

  /** Where the next field would begin. */
  long position() {
    return position;
  }

  @Override
  public NetcdfFormat magic(NetcdfFormat itsFormat) {
    format = itsFormat;
    position += Integer.BYTES;
    return itsFormat;
  }

  @Override
  public long recordCount(long count) {
    position += format.countWidth();
    return count;
  }

  @Override
  public <T> List<T> list(
      ListTag tag, List<T> items, T blank, Element<T, RuntimeException> element) {
    position += Integer.BYTES;
    return elements(tag.word(), items, blank, element);
  }

  @Override
  public <T> List<T> elements(
      String name, List<T> items, T blank, Element<T, RuntimeException> element) {
    position += format.countWidth();
    items.forEach(element::fields);
    return items;
  }

  @Override
  public String name(String name) {
    position += format.countWidth() + Xdr.padded(name.getBytes(StandardCharsets.UTF_8).length);
    return name;
  }

  @Override
  public long count(String name, long value, long most) {
    position += format.countWidth();
    return value;
  }

  @Override
  public NetcdfType type(NetcdfType type) {
    position += Integer.BYTES;
    return type;
  }

  @Override
  public ByteBuffer values(NetcdfType type, ByteBuffer cells) {
    position += format.countWidth() + Xdr.padded(cells.remaining());
    return cells;
  }

  @Override
  public void size(long size) {
    position += format.countWidth();
  }

  @Override
  public long begin(long begin) {
    position += format.beginWidth();
    return begin;
  }
}
