package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.BlockFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Reads the field list from a file, a window at a time. Nothing is allocated before the file is
 * known to have as many bytes, and every element of a list takes bytes of the file.
 */
final class HeaderReader implements HeaderIo<IOException> {
  private static final int WINDOW_SIZE = 1 << 13;
  private static final byte[] HDF5 = {(byte) 0x89, 'H', 'D', 'F'};

  /**
   * NetCDF's own library allows 256; a damaged length must not allocate what a sparse file seems to
   * have.
   */
  private static final int LARGEST_NAME = 1 << 16;

  /**
   * The most bytes of the values of an attribute, which are in memory as long as the file is open.
   */
  private static final int LARGEST_PART = 1 << 26;

  private final BlockFile file;
  private final Path path;
  private final long fileSize;
  private NetcdfFormat format = NetcdfFormat.CDF_1;

  /** What was read, and where in the file it ends. */
  private ByteBuffer window = ByteBuffer.allocate(0);

  private long windowEnd;

  HeaderReader(BlockFile file) throws IOException {
    this.file = file;
    this.path = file.path();
    this.fileSize = file.size();
  }

  /** Where the next field begins. */
  long position() {
    return windowEnd - window.remaining();
  }

  @Override
  public NetcdfFormat magic(NetcdfFormat unknown) throws IOException {
    byte[] found = new byte[(int) Math.min(Integer.BYTES, fileSize)];
    take("the header", found.length).get(found);
    if (Arrays.equals(found, HDF5)) {
      throw NetcdfException.NotClassic.hdf5(path);
    }
    boolean isCdf =
        found.length == Integer.BYTES && found[0] == 'C' && found[1] == 'D' && found[2] == 'F';
    format =
        (isCdf ? NetcdfFormat.ofVersion(found[3]) : Optional.<NetcdfFormat>empty())
            .orElseThrow(
                () ->
                    NetcdfException.NotClassic.beginning(
                        path, HexFormat.ofDelimiter(" ").formatHex(found)));
    return format;
  }

  @Override
  public long recordCount(long unknown) throws IOException {
    long offset = position();
    ByteBuffer field = take("numrecs", format.countWidth());
    if (format.countWidth() == Integer.BYTES) {
      int count = field.getInt();
      return count == -1 ? Header.STREAMING : Integer.toUnsignedLong(count);
    }
    long count = field.getLong();
    if (count < -1) {
      throw new NetcdfException.Corrupt(
          path, offset, "numrecs", "less than 2^63", Long.toUnsignedString(count));
    }
    return count == -1 ? Header.STREAMING : count;
  }

  @Override
  public <T> List<T> list(ListTag tag, List<T> unknown, T blank, Element<T, IOException> element)
      throws IOException {
    long offset = position();
    int found = take("the tag of the " + tag.word() + " list", Integer.BYTES).getInt();
    if (found != tag.code() && found != ListTag.ABSENT) {
      throw new NetcdfException.Corrupt(
          path,
          offset,
          "the tag of the " + tag.word() + " list",
          tag.code() + " or 0",
          Integer.toUnsignedString(found));
    }
    long countOffset = position();
    List<T> items = elements(tag.word(), unknown, blank, element);
    if (found == ListTag.ABSENT && !items.isEmpty()) {
      throw new NetcdfException.Corrupt(
          path, countOffset, "the length of the absent " + tag.word() + " list", "0", items.size());
    }
    return items;
  }

  @Override
  public <T> List<T> elements(
      String name, List<T> unknown, T blank, Element<T, IOException> element) throws IOException {
    long count = count("nelems of " + name, 0, Integer.MAX_VALUE);
    List<T> items = new ArrayList<>();
    for (long number = 0; number < count; number++) {
      long offset = position();
      try {
        items.add(element.fields(blank));
      } catch (IllegalArgumentException illegal) {
        throw new NetcdfException.Corrupt(
            path, offset, String.format("at byte %d %s", offset, sentence(illegal)));
      }
    }
    return items;
  }

  /** Without its full stop, so that the sentence can go on. */
  static String sentence(IllegalArgumentException illegal) {
    String message = String.valueOf(illegal.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  @Override
  public String name(String unknown) throws IOException {
    long offset = position();
    ByteBuffer bytes = takePadded("name", count("the length of a name", 0, LARGEST_NAME), 1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException malformed) {
      throw new NetcdfException.Corrupt(
          path, offset, String.format("the name at byte %d should be UTF-8, but is not", offset));
    }
  }

  @Override
  public long count(String name, long unknown, long most) throws IOException {
    long offset = position();
    ByteBuffer field = take(name, format.countWidth());
    long found =
        format.countWidth() == Integer.BYTES
            ? Integer.toUnsignedLong(field.getInt())
            : field.getLong();
    if (found < 0 || found > most) {
      throw new NetcdfException.Corrupt(
          path,
          offset,
          name,
          most < 0 ? "absent, as there are no dimensions" : "0 to " + most,
          Long.toUnsignedString(found));
    }
    return found;
  }

  @Override
  public NetcdfType type(NetcdfType unknown) throws IOException {
    long offset = position();
    int code = take("nc_type", Integer.BYTES).getInt();
    return NetcdfType.ofCode(code)
        .filter(format::has)
        .orElseThrow(
            () ->
                new NetcdfException.Corrupt(
                    path,
                    offset,
                    "nc_type",
                    format == NetcdfFormat.CDF_5 ? "1 to 11" : "1 to 6",
                    Integer.toUnsignedString(code)));
  }

  @Override
  public ByteBuffer values(NetcdfType type, ByteBuffer unknown) throws IOException {
    long count = count("nelems of values", 0, LARGEST_PART / type.size());
    ByteBuffer found = takePadded("the values of an attribute", count, type.size());
    return ByteBuffer.allocate(found.remaining()).put(found).flip();
  }

  @Override
  public void size(long computed) throws IOException {
    take("vsize", format.countWidth());
  }

  @Override
  public long begin(long unknown) throws IOException {
    long offset = position();
    ByteBuffer field = take("begin", format.beginWidth());
    long found =
        format.beginWidth() == Integer.BYTES
            ? Integer.toUnsignedLong(field.getInt())
            : field.getLong();
    if (found < 0 || found > format.lastBegin()) {
      throw new NetcdfException.Corrupt(
          path, offset, "begin", "at most " + format.lastBegin(), Long.toUnsignedString(found));
    }
    return found;
  }

  private ByteBuffer takePadded(String name, long count, int size) throws IOException {
    ByteBuffer taken = take(name, count * size);
    take("the padding behind " + name, Xdr.padding(count * size));
    return taken;
  }

  /** The next bytes. */
  private ByteBuffer take(String name, long byteCount) throws IOException {
    if (byteCount > fileSize - position()) {
      throw new NetcdfException.Truncated(path, name, position(), byteCount, fileSize);
    }
    if (byteCount > window.remaining()) {
      refill(byteCount);
    }
    ByteBuffer taken = window.slice(window.position(), (int) byteCount);
    window.position(window.position() + (int) byteCount);
    return taken;
  }

  private void refill(long least) throws IOException {
    long start = position();
    window = ByteBuffer.allocate((int) Math.max(least, Math.min(WINDOW_SIZE, fileSize - start)));
    file.readFully(start, window);
    windowEnd = start + window.flip().remaining();
  }
}
