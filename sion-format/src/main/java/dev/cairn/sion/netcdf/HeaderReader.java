package dev.cairn.sion.netcdf;

import dev.cairn.sion.field.FileReader;
import dev.cairn.sion.store.BlockFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Reads the header of a file. */
final class HeaderReader extends FileReader {
  private static final byte[] HDF5 = {(byte) 0x89, 'H', 'D', 'F'};

  private final Path path;

  HeaderReader(BlockFile file) throws IOException {
    super(file::readFully, file.size(), ByteOrder.BIG_ENDIAN, 0);
    this.path = file.path();
  }

  /** The format, which the first 4 bytes say. */
  static NetcdfFormat formatOf(BlockFile file) throws IOException {
    byte[] found = new byte[(int) Math.min(Integer.BYTES, file.size())];
    file.readFully(0, ByteBuffer.wrap(found));
    if (Arrays.equals(found, HDF5)) {
      throw NetcdfException.NotClassic.hdf5(file.path());
    }
    Optional<NetcdfFormat> format =
        Arrays.stream(NetcdfFormat.values())
            .filter(each -> Arrays.equals(each.magic(), found))
            .findFirst();
    String bytes = HexFormat.ofDelimiter(" ").formatHex(found);
    return format.orElseThrow(() -> NetcdfException.NotClassic.beginning(file.path(), bytes));
  }

  @Override
  public NetcdfException unexpected(long position, String name, String expected, String found) {
    return new NetcdfException.Corrupt(path, position, name, expected, found);
  }

  @Override
  public NetcdfException misfit(long position, String sentence) {
    return new NetcdfException.Corrupt(path, position, sentence);
  }

  @Override
  protected NetcdfException truncated(String part, long position, long byteCount, long fileSize) {
    return new NetcdfException.Truncated(path, part, position, byteCount, fileSize);
  }
}
