package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfWriter;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Makes the puts of logs in the NetCDF classic file for which they were meant, as its program would
 * have done. It can be done again: the same logs leave the same file. The owner closes it; it uses
 * the set that it is of. One thread at a time.
 */
public final class BurstReplay implements Closeable {
  private final BurstLogSet set;
  private final NetcdfWriter target;
  private long recordCount;
  private long valueBytes;

  private BurstReplay(BurstLogSet set, NetcdfWriter target) {
    this.set = set;
    this.target = target;
    this.recordCount = target.recordCount();
  }

  /**
   * Opens the file and checks that it has the cells of all puts; nothing is written yet.
   *
   * @param file an existing NetCDF classic file
   * @throws BurstLogException if a put is not for a file like this one
   */
  public static BurstReplay open(BlockStore store, Path file, BurstLogSet set) throws IOException {
    BurstReplay replay = new BurstReplay(set, NetcdfWriter.openForCells(store, file));
    try {
      PutCheck check = new PutCheck(file, replay.target.layout());
      replay
          .inOrder(OverlapOrder.LAST)
          .forEach((log, number, put) -> replay.check(check, log, number, put));
      return replay;
    } catch (IOException | RuntimeException | Error failure) {
      replay.closeAfter(failure);
      throw failure;
    }
  }

  /** The same for a rehearsal, which reads and converts all values and writes none of them. */
  public static BurstReplay rehearse(BlockStore store, Path file, BurstLogSet set)
      throws IOException {
    return open(new RehearsalStore(store), file, set);
  }

  private PutSequence inOrder(OverlapOrder order) {
    return new PutSequence(set.logs(), order);
  }

  private void check(PutCheck check, BurstLog log, int number, StagedPut put)
      throws BurstLogException {
    check.require(PutTitle.of(log, number), put);
    valueBytes += put.dataSize();
    PutBoxes boxes = put.boxes();
    if (target.spec().variables().get(put.variable()).isRecordVariable()) {
      for (int box = 0; box < boxes.boxCount(); box++) {
        if (boxes.cellCount(box) > 0) {
          recordCount = Math.max(recordCount, boxes.last(box, 0) + 1);
        }
      }
    }
  }

  /** How many records the file has now. */
  public long oldRecordCount() {
    return target.recordCount();
  }

  /** How many records it has behind the replay. */
  public long newRecordCount() {
    return recordCount;
  }

  /** The bytes of all values in the logs. */
  public long valueBytes() {
    return valueBytes;
  }

  /**
   * What is put to each variable to which something is. It takes some 100 bytes for each run of
   * neighbouring cells.
   */
  public List<VariableShare> shares() throws IOException {
    ShareCount count = new ShareCount(target.layout(), recordCount);
    inOrder(OverlapOrder.LAST).forEach((log, number, put) -> count.add(put));
    return count.shares();
  }

  /**
   * Makes all puts, raises the number of records when their values are durable, and forces the
   * file. It ends behind the last cell that was written, as PnetCDF leaves it. Values out of range become fill values, as PnetCDF writes them.
   *
   * @param order which put counts where several overlap
   * @param replayed called with the number of bytes replayed since the last call
   * @return the puts that have values out of range
   * @throws BurstLogException if puts overlap and the order does not allow it; nothing was written
   */
  public List<RangeLoss> run(OverlapOrder order, LongConsumer replayed) throws IOException {
    if (order == OverlapOrder.ERROR) {
      requireNoOverlap();
    }
    List<RangeLoss> losses = new ArrayList<>();
    PutTarget cells = new FileCells(target);
    inOrder(order)
        .forEach(
            (log, number, put) -> {
              PutReplay replay = new PutReplay(target.spec(), cells, log, put);
              replay.run();
              replay.loss(number).ifPresent(losses::add);
              replayed.accept(put.dataSize());
            });
    target.force();
    target.raiseRecordCount(recordCount);
    target.force();
    return losses;
  }

  /** The cells of the file. */
  private record FileCells(NetcdfWriter file) implements PutTarget {
    private static final int MOST_PIECE_SIZE = 1 << 18;

    @Override
    public int mostPieceSize() {
      return MOST_PIECE_SIZE;
    }

    @Override
    public void write(Variable variable, PutPiece piece, Values values) throws IOException {
      file.write(variable.name(), piece.section(), values);
    }
  }

  private void requireNoOverlap() throws IOException {
    for (VariableShare share : shares()) {
      if (share.overlappingCount() > 0) {
        throw new BurstLogException(
            set.name(),
            String.format(
                "%d values of variable %s are put to cells that get others as well. Choose which"
                    + " put counts: the last or the first.",
                share.overlappingCount(), share.name()));
      }
    }
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
