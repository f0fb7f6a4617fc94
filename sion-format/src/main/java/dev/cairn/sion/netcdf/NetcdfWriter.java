package dev.cairn.sion.netcdf;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Hyperslab;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that is open for writing. Cells that nothing was written to read as zeros, unless {@link
 * #fill} was called for them. The bytes behind the last cell of a variable, up to a multiple of 4,
 * get its fill value when that cell is written, as NetCDF's own library has them. The same
 * description and the same values give the same bytes.
 *
 * <p>Records count only after {@link #raiseRecordCount}. Values of later records may be written
 * before: call {@link #force} between the two, and no crash leaves a record that counts without its
 * values.
 *
 * <p>The owner closes it, which forces nothing. Until then any threads may write and fill, each
 * other cells; {@link #raiseRecordCount} is called by one thread while no other one writes.
 */
public final class NetcdfWriter implements Closeable {
  private final BlockFile file;
  private final NetcdfLayout layout;

  /** Whether no bytes are written but those of cells, as PnetCDF does. */
  private final boolean isForCells;

  private volatile long recordCount;

  private NetcdfWriter(BlockFile file, OpenHeader header, boolean isForCells) {
    this.file = file;
    this.layout = header.layout();
    this.recordCount = header.recordCount();
    this.isForCells = isForCells;
  }

  /**
   * Creates a file without records, of which no other may have the name. The caller closes it, and
   * makes its name durable.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file of this name
   */
  public static NetcdfWriter create(BlockStore store, Path path, NetcdfLayout layout)
      throws IOException {
    BlockFile file = store.create(path);
    try {
      file.write(0, layout.header(0));
      file.resize(layout.size(0));
      return new NetcdfWriter(file, new OpenHeader(layout, 0), false);
    } catch (IOException | RuntimeException | Error failure) {
      CloseAll.after(failure, file);
      throw failure;
    }
  }

  /**
   * Opens an existing file, to write values or add records. The caller closes it.
   *
   * @throws NetcdfException if it is no classic file, or its header is damaged
   */
  public static NetcdfWriter open(BlockStore store, Path path) throws IOException {
    return open(store, path, false);
  }

  /**
   * Opens an existing file to write cells and no other bytes, as PnetCDF does: none behind the
   * cells of a variable, and none for cells of records that are never written. So the file ends
   * behind the last cell, and may be shorter than its header says. The caller closes it.
   *
   * @throws NetcdfException if it is no classic file, or its header is damaged
   */
  public static NetcdfWriter openForCells(BlockStore store, Path path) throws IOException {
    return open(store, path, true);
  }

  private static NetcdfWriter open(BlockStore store, Path path, boolean isForCells)
      throws IOException {
    BlockFile file = store.open(path, Access.READ_WRITE);
    try {
      return new NetcdfWriter(file, OpenHeader.read(file), isForCells);
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

  /** How many records count. */
  public long recordCount() {
    return recordCount;
  }

  /**
   * Writes {@code values}, converted to the type of the variable, to a section. It may name records
   * that do not count yet; one that names none is of those that do.
   *
   * @throws NetcdfException.OutOfRange if a value does not fit; nothing was written then
   * @throws IllegalArgumentException if the section is not within the variable, has not as many
   *     values, or one of them is text and the other is not
   */
  public void write(String variable, Hyperslab section, Values values) throws IOException {
    VariablePlace place = layout.place(variable);
    long records = recordsFor(place, section);
    Hyperslab complete = NetcdfLayout.complete(place, section, records);
    Transfer.require(place.variable(), complete, values);
    requireFit(place.variable(), complete, values);
    CellWriter cells = new CellWriter(file, place);
    cells.write(place.extents(complete, records), values, !isForCells);
  }

  /** Writes the fill value of a variable to a section, as NetCDF does to new variables. */
  public void fill(String variable, Hyperslab section) throws IOException {
    VariablePlace place = layout.place(variable);
    long records = recordsFor(place, section);
    Hyperslab complete = NetcdfLayout.complete(place, section, records);
    new CellWriter(file, place).fill(place.extents(complete, records), complete.cellCount());
  }

  /** Those that count, or as many as are possible for a section that names some. */
  private long recordsFor(VariablePlace place, Hyperslab section) {
    boolean namesRecords = place.variable().isRecordVariable() && section.dimensionCount() > 0;
    return namesRecords ? layout.mostRecords() : recordCount;
  }

  private void requireFit(Variable variable, Hyperslab section, Values values)
      throws NetcdfException.OutOfRange {
    int misfit = Conversion.firstMisfit(values, variable.type());
    if (misfit >= 0) {
      throw new NetcdfException.OutOfRange(
          path(),
          variable.name(),
          section.indices(misfit),
          values.text(misfit),
          variable.type(),
          "Nothing was written: correct it, or give the variable a wider type.");
    }
  }

  /** Makes all that was written before durable. */
  public void force() throws IOException {
    file.force();
  }

  /**
   * Lets the first {@code count} records count, and the file have room for them unless it was
   * opened {@linkplain #openForCells for cells}. It is durable after {@link #force}.
   *
   * @throws IllegalArgumentException if fewer records would count than before
   */
  public void raiseRecordCount(long count) throws IOException {
    layout.requireRecordCount(count);
    if (count < recordCount) {
      throw new IllegalArgumentException(
          String.format("%s has %d records, which cannot become %d.", path(), recordCount, count));
    }
    long size = layout.size(count);
    if (!isForCells && file.size() < size) {
      file.resize(size);
    }
    file.write(Header.RECORD_COUNT_OFFSET, encoded(count));
    recordCount = count;
  }

  /**
   * Takes back all records behind the first {@code count}, with their bytes. It is durable after
   * {@link #force}. The count is forced before the bytes go, so that no crash leaves a record that
   * counts without its values.
   *
   * @throws IllegalArgumentException if there are fewer
   */
  public void cutBack(long count) throws IOException {
    if (count < 0 || count > recordCount) {
      throw new IllegalArgumentException(
          String.format("%s has %d records, not %d.", path(), recordCount, count));
    }
    file.write(Header.RECORD_COUNT_OFFSET, encoded(count));
    recordCount = count;
    file.force();
    file.resize(layout.size(count));
  }

  private ByteBuffer encoded(long count) {
    ByteBuffer bytes = ByteBuffer.allocate(layout.spec().format().countWidth());
    return bytes.capacity() == Integer.BYTES
        ? bytes.putInt((int) count).flip()
        : bytes.putLong(count).flip();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
