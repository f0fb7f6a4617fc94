package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file that is open for reading, with the records that it had when it was opened. The classic
 * format has no checksums, so a changed value is not noticed. The owner closes it; until then any
 * thread may read.
 */
public final class NetcdfReader implements Closeable {
  private final BlockFile file;
  private final NetcdfLayout layout;
  private final long recordCount;

  private NetcdfReader(BlockFile file, OpenHeader header) {
    this.file = file;
    this.layout = header.layout();
    this.recordCount = header.recordCount();
  }

  /**
   * Opens a file. The caller closes it.
   *
   * @throws NetcdfException if it is no classic file, or its header is damaged
   */
  public static NetcdfReader open(BlockStore store, Path path) throws IOException {
    BlockFile file = store.open(path, Access.READ);
    try {
      return new NetcdfReader(file, OpenHeader.read(file));
    } catch (IOException | RuntimeException | Error failure) {
      OpenHeader.closeAfter(file, failure);
      throw failure;
    }
  }

  public Path path() {
    return file.path();
  }

  /** What the file holds. */
  public NetcdfSpec spec() {
    return layout.spec();
  }

  /** Where its bytes lie. */
  public NetcdfLayout layout() {
    return layout;
  }

  /** How many records it has. */
  public long recordCount() {
    return recordCount;
  }

  /**
   * Fills {@code target} with the values of a section, converted to its type.
   *
   * @throws NetcdfException.OutOfRange if a value does not fit; what {@code target} then holds is
   *     undefined
   * @throws NetcdfException.Truncated if the file ends before them
   * @throws IllegalArgumentException if the section is not within the variable, has not as many
   *     values as {@code target}, or one of them is text and the other is not
   */
  public void read(String variable, Section section, Values target) throws IOException {
    VariablePlace place = layout.place(variable);
    Section complete = NetcdfLayout.complete(place, section, recordCount);
    Transfer.require(place.variable(), complete, target);
    if (!complete.isEmpty()) {
      requireThere(place, complete);
      new CellReader(file, place).read(complete, place.extents(complete, recordCount), target);
    }
  }

  private void requireThere(VariablePlace place, Section section) throws IOException {
    long end = place.end(section);
    long size = file.size();
    if (end > size) {
      int cellSize = place.variable().type().size();
      throw new NetcdfException.Truncated(
          path(),
          "the last value asked for of variable " + place.variable().name(),
          end - cellSize,
          cellSize,
          size);
    }
  }

  /** The numbers of a section; integers of 8 bytes may be rounded. */
  public double[] readDoubles(String variable, Section section) throws IOException {
    double[] values = new double[valueCount(variable, section)];
    read(variable, section, Values.of(values));
    return values;
  }

  /** The integers of a section; floating numbers lose what is behind their points. */
  public long[] readLongs(String variable, Section section) throws IOException {
    long[] values = new long[valueCount(variable, section)];
    read(variable, section, Values.of(values));
    return values;
  }

  /**
   * The text of a section without zeros at its end. Each byte that is no UTF-8 becomes U+FFFD; who
   * wants the bytes reads into {@link Values#ofText(byte[])}.
   */
  public String readText(String variable, Section section) throws IOException {
    byte[] bytes = new byte[valueCount(variable, section)];
    read(variable, section, Values.ofText(bytes));
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /** As an array may have; nothing is allocated for values that the file does not have. */
  private int valueCount(String variable, Section section) throws IOException {
    VariablePlace place = layout.place(variable);
    Section complete = NetcdfLayout.complete(place, section, recordCount);
    if (complete.isEmpty()) {
      return 0;
    }
    requireThere(place, complete);
    long count = complete.cellCount();
    if (count > Transfer.MOST_VALUES) {
      throw new IllegalArgumentException(
          String.format(
              "the section of variable %s has %d values, more than an array: read it in parts.",
              variable, count));
    }
    return (int) count;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
