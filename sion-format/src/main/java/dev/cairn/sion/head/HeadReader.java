package dev.cairn.sion.head;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reads a field list from memory. */
public final class HeadReader implements HeadIo {
  private static final int DELETE = 0x7f;

  private final ByteBuffer head;
  private final long start;

  /** A reader of {@code head}, which begins at {@code start} of its file. */
  public HeadReader(ByteBuffer head, long start) {
    this.head = head;
    this.start = start;
  }

  @Override
  public void constant(String name, String ascii) throws Misfit {
    long position = position();
    String found = new String(take(name, ascii.length()), StandardCharsets.ISO_8859_1);
    if (!found.equals(ascii)) {
      throw new Misfit(
          position, "%s should be %s, but is %s", name, visible(ascii), visible(found));
    }
  }

  @Override
  public int i32(String name, int value, int least, int most) throws Misfit {
    long position = position();
    require(name, Integer.BYTES);
    return (int) checked(position, name, head.getInt(), least, most);
  }

  @Override
  public long i64(String name, long value, long least, long most) throws Misfit {
    long position = position();
    require(name, Long.BYTES);
    return checked(position, name, head.getLong(), least, most);
  }

  @Override
  public String text(String name, int size, String value) throws Misfit {
    long position = position();
    byte[] found = take(name, size);
    for (int index = 0; index < size; index++) {
      int unit = Byte.toUnsignedInt(found[index]);
      if (unit < ' ' || unit == DELETE) {
        throw new Misfit(position + index, "%s should go on, but has the byte %02x", name, unit);
      }
    }
    return new String(found, StandardCharsets.UTF_8);
  }

  @Override
  public long[] row64(String name, long count, long[] values) throws Misfit {
    require(name, Long.BYTES * count);
    long[] found = new long[(int) count];
    head.asLongBuffer().get(found);
    skip(Long.BYTES * found.length);
    return found;
  }

  @Override
  public int[] row32(String name, int count, int[] values) throws Misfit {
    require(name, (long) Integer.BYTES * count);
    int[] found = new int[count];
    head.asIntBuffer().get(found);
    skip(Integer.BYTES * count);
    return found;
  }

  @Override
  public void padding(int end) throws Misfit {
    require("padding", end - head.position());
    head.position(end);
  }

  @Override
  public void checksum() throws Misfit {
    require("the checksum", Integer.BYTES);
    skip(Integer.BYTES);
  }

  private void skip(int count) {
    head.position(head.position() + count);
  }

  private long position() {
    return start + head.position();
  }

  private byte[] take(String name, int size) throws Misfit {
    require(name, size);
    byte[] taken = new byte[size];
    head.get(taken);
    return taken;
  }

  /** Before anything is allocated for {@code size} bytes. */
  private void require(String name, long size) throws Misfit {
    if (size < 0 || size > head.remaining()) {
      throw new Misfit(
          position(), "%s should have %d bytes, but only %d follow", name, size, head.remaining());
    }
  }

  private static long checked(long position, String name, long found, long least, long most)
      throws Misfit {
    if (found < least || found > most) {
      throw new Misfit(
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
