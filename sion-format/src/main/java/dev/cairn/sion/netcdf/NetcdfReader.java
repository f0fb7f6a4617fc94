package dev.cairn.sion.netcdf;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Hyperslab;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A file that is open for reading, with the records that it had when it was opened. The classic
 * format has no checksums, so a changed value is not noticed. The owner closes it; until then any
 * thread may read.
 *
 * <p>A file may end before the last cells of what lies last in it: of its last record, or if it has
 * no records, of its last variable. PnetCDF leaves it so if nothing was written to them. These
 * cells read as zeros, as NetCDF's own library reads them, and a warning says so, since a file that
 * was cut there looks the same. {@link #openStrict} refuses them.
 */
public final class NetcdfReader implements Closeable {
  private static final System.Logger LOG = System.getLogger(NetcdfReader.class.getName());

  /** For how many cells that the file does not have a new array is made. */
  private static final int MOST_MISSING = 1 << 16;

  private static final int MOST_NAMES = 3;

  private final BlockFile file;
  private final NetcdfLayout layout;
  private final long recordCount;
  private final boolean isStrict;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  private NetcdfReader(BlockFile file, OpenHeader header, boolean isStrict) {
    this.file = file;
    this.layout = header.layout();
    this.recordCount = header.recordCount();
    this.isStrict = isStrict;
  }

  /**
   * Opens a file. The caller closes it.
   *
   * @throws NetcdfException if it is no classic file, or its header is damaged
   */
  public static NetcdfReader open(BlockStore store, Path path) throws IOException {
    return open(store, path, false);
  }

  /**
   * Opens a file of which no cell is read that it does not have. The caller closes it.
   *
   * @throws NetcdfException if it is no classic file, or its header is damaged
   */
  public static NetcdfReader openStrict(BlockStore store, Path path) throws IOException {
    return open(store, path, true);
  }

  private static NetcdfReader open(BlockStore store, Path path, boolean isStrict)
      throws IOException {
    BlockFile file = store.open(path, Access.READ);
    try {
      return new NetcdfReader(file, OpenHeader.read(file), isStrict);
    } catch (IOException | RuntimeException | Error failure) {
      CloseAll.after(failure, file);
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

  /** What cells it does not have, in a sentence; empty if it has all. */
  public Optional<String> missing() throws IOException {
    long size = file.size();
    List<String> cut = layout.cutBy(size, recordCount);
    return cut.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                "%s: the file ends at byte %d, before the last cells of %s. Nothing was written to"
                    + " them, or the file was cut: compare it with another copy.",
                path(), size, named(cut)));
  }

  private static String named(List<String> variables) {
    int more = variables.size() - MOST_NAMES;
    String names = variables.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    return more > 0 ? names + " and " + more + " more variables" : names;
  }

  /**
   * Fills {@code target} with the values of a section, converted to its type.
   *
   * @throws NetcdfException.OutOfRange if a value does not fit; what {@code target} then holds is
   *     undefined
   * @throws NetcdfException.Truncated if the file ends before them, and they do not read as zeros
   * @throws IllegalArgumentException if the section is not within the variable, has not as many
   *     values as {@code target}, or one of them is text and the other is not
   */
  public void read(String variable, Hyperslab section, Values target) throws IOException {
    VariablePlace place = layout.place(variable);
    Hyperslab complete = NetcdfLayout.complete(place, section, recordCount);
    Transfer.require(place.variable(), complete, target);
    if (!complete.isEmpty()) {
      long size = file.size();
      if (place.end(complete) > size) {
        requireTail(place, complete, size);
        warnOnce();
      }
      CellReader cells = new CellReader(file, place, size);
      cells.read(complete, place.extents(complete, recordCount), target);
    }
  }

  /** Refuses a section that ends behind the file if its cells there may not be read as zeros. */
  private void requireTail(VariablePlace place, Hyperslab section, long size)
      throws NetcdfException.Truncated {
    if (isStrict || size < layout.leastSize(recordCount)) {
      throw truncated(place, section, size);
    }
  }

  private NetcdfException.Truncated truncated(VariablePlace place, Hyperslab section, long size) {
    int cellSize = place.variable().type().size();
    return new NetcdfException.Truncated(
        path(),
        "the last value asked for of variable " + place.variable().name(),
        place.end(section) - cellSize,
        cellSize,
        size);
  }

  private void warnOnce() throws IOException {
    Optional<String> missing = hasWarned.getAndSet(true) ? Optional.empty() : missing();
    missing.ifPresent(
        sentence -> LOG.log(System.Logger.Level.WARNING, sentence + " They are read as zeros."));
  }

  /** The numbers of a section; integers of 8 bytes may be rounded. */
  public double[] readDoubles(String variable, Hyperslab section) throws IOException {
    double[] values = new double[valueCount(variable, section)];
    read(variable, section, Values.of(values));
    return values;
  }

  /** The integers of a section; floating numbers lose what is behind their points. */
  public long[] readLongs(String variable, Hyperslab section) throws IOException {
    long[] values = new long[valueCount(variable, section)];
    read(variable, section, Values.of(values));
    return values;
  }

  /**
   * The text of a section without zeros at its end. Each byte that is no UTF-8 becomes U+FFFD; who
   * wants the bytes reads into {@link Values#ofText(byte[])}.
   */
  public String readText(String variable, Hyperslab section) throws IOException {
    byte[] bytes = new byte[valueCount(variable, section)];
    read(variable, section, Values.ofText(bytes));
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /** As an array may have; little is allocated for values that the file does not have. */
  private int valueCount(String variable, Hyperslab section) throws IOException {
    VariablePlace place = layout.place(variable);
    Hyperslab complete = NetcdfLayout.complete(place, section, recordCount);
    if (complete.isEmpty()) {
      return 0;
    }
    long count = complete.cellCount();
    long size = file.size();
    if (place.end(complete) > size) {
      requireTail(place, complete, size);
      if (count > MOST_MISSING + size / place.variable().type().size()) {
        throw truncated(place, complete, size);
      }
    }
    if (count > Transfer.MOST_VALUES) {
      throw new IllegalArgumentException(
          String.format(
              "the hyperslab of variable %s has %d values, more than an array: read it in parts.",
              variable, count));
    }
    return (int) count;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
