package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfLayout;
import dev.cairn.sion.netcdf.NetcdfType;
import dev.cairn.sion.netcdf.NetcdfWriter;
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
    BurstReplay replay = new BurstReplay(set, NetcdfWriter.open(store, file));
    try {
      replay.inOrder(OverlapOrder.LAST).forEach(replay::check);
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

  private void check(BurstLog log, int number, StagedPut put) throws BurstLogException {
    Variable variable = checkedVariable(log, number, put);
    PutBoxes boxes = put.boxes();
    for (int box = 0; box < boxes.boxCount(); box++) {
      if (boxes.cellCount(box) > 0) {
        check(log, number, variable, PutPiece.of(boxes, box, 0));
        if (variable.isRecordVariable()) {
          recordCount = Math.max(recordCount, boxes.last(box, 0) + 1);
        }
      }
    }
    valueBytes += put.dataSize();
  }

  private Variable checkedVariable(BurstLog log, int number, StagedPut put)
      throws BurstLogException {
    List<Variable> variables = target.spec().variables();
    if (put.variable() >= variables.size()) {
      throw unfit(
          log,
          number,
          String.format(
              "it is of variable %d, but %s has only %d",
              put.variable(), target.path(), variables.size()));
    }
    Variable variable = variables.get(put.variable());
    if (put.boxes().dimensionCount() != variable.dimensions().size()) {
      throw unfit(
          log,
          number,
          String.format(
              "it has %d dimensions, but variable %s of %s has %d",
              put.boxes().dimensionCount(),
              variable.name(),
              target.path(),
              variable.dimensions().size()));
    }
    if ((put.type() == MemoryType.TEXT) != (variable.type() == NetcdfType.CHAR)) {
      throw unfit(
          log,
          number,
          String.format(
              "it has values of type %s, but variable %s of %s is of type %s",
              put.type(), variable.name(), target.path(), variable.type()));
    }
    return variable;
  }

  private void check(BurstLog log, int number, Variable variable, PutPiece box)
      throws BurstLogException {
    NetcdfLayout layout = target.layout();
    try {
      layout.valueCount(variable.name(), box.section(), layout.mostRecords());
    } catch (IllegalArgumentException outside) {
      throw unfit(log, number, withoutStop(outside));
    }
  }

  private static String withoutStop(IllegalArgumentException refusal) {
    String sentence = String.valueOf(refusal.getMessage());
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  private static BurstLogException unfit(BurstLog log, int number, String reason) {
    return new BurstLogException(
        log.name().meta(),
        String.format(
            "put %d is not for this file: %s. Name the file for which the logs were written.",
            number, reason));
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
   * file. Values out of range are left out, as PnetCDF does.
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
    inOrder(order)
        .forEach(
            (log, number, put) -> {
              PutReplay replay = new PutReplay(target, log, put);
              replay.run();
              replay.loss(number).ifPresent(losses::add);
              replayed.accept(put.dataSize());
            });
    target.force();
    target.raiseRecordCount(recordCount);
    target.force();
    return losses;
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
