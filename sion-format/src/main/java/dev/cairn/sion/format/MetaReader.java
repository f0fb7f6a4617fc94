package dev.cairn.sion.format;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.field.FileReader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads the meta data of a multifile. */
public final class MetaReader extends FileReader {
  private final Path file;

  /**
   * @param file the name in messages
   * @param position where the first field begins
   */
  public MetaReader(Path file, Source source, long fileSize, ByteOrder order, long position) {
    super(source, fileSize, order, position);
    this.file = file;
  }

  @Override
  public void constant(String name, byte[] bytes) throws IOException {
    byte[] found = bytes(name, bytes.length, bytes);
    if (!Arrays.equals(found, bytes)) {
      throw new SionException.NotAMultifile(file, HexFormat.ofDelimiter(" ").formatHex(found));
    }
  }

  @Override
  public SionException unexpected(long position, String name, String expected, String found) {
    return name.equals(FileHeader.VERSION)
        ? new SionException.UnsupportedVersion(file, position, expected, found)
        : new SionException.Corrupt(file, position, name, expected, found);
  }

  @Override
  public SionException misfit(long position, String sentence) {
    throw new AssertionError("no list of a multifile has fields that must fit: " + sentence);
  }

  @Override
  protected SionException truncated(String part, long position, long byteCount, long fileSize) {
    return new SionException.Truncated(file, part, position, byteCount, fileSize);
  }
}
