package dev.cairn.sion.pnetcdf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reads a field list from bytes of a metadata log. */
final class MetaFieldReader implements MetaFields {
  private static final int DELETE = 0x7f;

  private final ByteBuffer bytes;
  private final long start;

  /**
   * A reader of {@code bytes}, which have the log's byte order and begin at {@code start} of the
   * log; where they end, the log does.
   */
  MetaFieldReader(ByteBuffer bytes, long start) {
    this.bytes = bytes;
    this.start = start;
  }

  @Override
  public void constant(String name, String ascii) throws Mismatch {
    long position = position();
    String found = new String(take(name, ascii.length()), StandardCharsets.ISO_8859_1);
    if (!found.equals(ascii)) {
      throw new Mismatch(
          position, "%s should be %s, but is %s", name, visible(ascii), visible(found));
    }
  }

  @Override
  public int i32(String name, int value, int least, int most) throws Mismatch {
    long position = position();
    require(name, Integer.BYTES);
    return (int) checked(position, name, bytes.getInt(), least, most);
  }

  @Override
  public long i64(String name, long value, long least, long most) throws Mismatch {
    long position = position();
    require(name, Long.BYTES);
    return checked(position, name, bytes.getLong(), least, most);
  }

  @Override
  public String text(String name, int size, String value) throws Mismatch {
    long position = position();
    byte[] found = take(name, size);
    for (int index = 0; index < size; index++) {
      int unit = Byte.toUnsignedInt(found[index]);
      if (unit < ' ' || unit == DELETE) {
        throw new Mismatch(position + index, "%s should go on, but has the byte %02x", name, unit);
      }
    }
    return new String(found, StandardCharsets.UTF_8);
  }

  @Override
  public long[] row64(String name, int count, long[] values) throws Mismatch {
    require(name, (long) Long.BYTES * count);
    long[] found = new long[count];
    bytes.asLongBuffer().get(found);
    bytes.position(bytes.position() + Long.BYTES * count);
    return found;
  }

  @Override
  public void padding(int position) throws Mismatch {
    int size = (int) (position - position());
    require("padding", size);
    bytes.position(bytes.position() + size);
  }

  private long position() {
    return start + bytes.position();
  }

  private byte[] take(String name, int size) throws Mismatch {
    require(name, size);
    byte[] taken = new byte[size];
    bytes.get(taken);
    return taken;
  }

  /** Before anything is allocated for {@code size} bytes. */
  private void require(String name, long size) throws Mismatch {
    if (size > bytes.remaining()) {
      throw new Mismatch(
          position(),
          "%s should have %d bytes, but the log ends at byte %d",
          name,
          size,
          start + bytes.limit());
    }
  }

  private static long checked(long position, String name, long found, long least, long most)
      throws Mismatch {
    if (found < least || found > most) {
      throw new Mismatch(
          position,
          "%s should be %s, but is %d",
          name,
          least == most ? least : least + " to " + most,
          found);
    }
    return found;
  }

  private static String visible(String bytes) {
    StringBuilder text = new StringBuilder();
    bytes.chars().forEach(unit -> append(text, unit));
    return text.toString();
  }

  private static void append(StringBuilder text, int unit) {
    if (unit >= ' ' && unit < DELETE) {
      text.append((char) unit);
    } else {
      text.append('\\').append(HexFormat.of().toHexDigits((byte) unit));
    }
  }
}
