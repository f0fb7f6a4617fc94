package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.netcdf.NetcdfWriter;
import dev.cairn.sion.netcdf.Variable;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Hyperslab;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
      CloseAll.after(failure, replay);
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
      for (int index = 0; index < boxes.boxCount(); index++) {
        Hyperslab box = boxes.box(index);
        if (!box.isEmpty()) {
          recordCount = Math.max(recordCount, box.last(0) + 1);
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
   * file. It ends behind the last cell that was written, as PnetCDF leaves it. Values out of range
   * become fill values, as PnetCDF writes them.
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
    RangeLosses losses = new RangeLosses();
    inOrder(order)
        .forEach(
            (log, number, put) -> {
              new PutReplay(target, losses, log, number, put).run(order);
              replayed.accept(put.dataSize());
            });
    finish();
    return losses.list();
  }

  private void finish() throws IOException {
    target.force();
    target.raiseRecordCount(recordCount);
    target.force();
  }

  /**
   * The same as PnetCDF does it where puts overlap. Of those that a process flushes at once, it
   * takes for each cell the run of cells in the last dimension that begins first in the file; of
   * several flushes the last one counts, and of several processes the one of the highest rank, for
   * which PnetCDF has no rule. Logs do not say what was flushed at once.
   *
   * <p>It takes some 400 bytes of memory for each box of a flush, for each record apart, and some
   * 50 for each run of those that interleave.
   *
   * @param flushSize the bytes of values of a process that are flushed at once, as the hint {@code
   *     nc_burst_buf_flush_buffer_size} says; 0 for all
   */
  public List<RangeLoss> runAsPnetcdf(long flushSize, LongConsumer replayed) throws IOException {
    List<FlushRounds> rounds = new ArrayList<>();
    for (BurstLog log : set.logs()) {
      rounds.add(FlushRounds.of(log, flushSize));
    }
    RangeLosses losses = new RangeLosses();
    int most = rounds.stream().mapToInt(FlushRounds::count).max().orElse(0);
    for (int round = 0; round < most; round++) {
      for (int index = 0; index < rounds.size(); index++) {
        if (round < rounds.get(index).count()) {
          flush(set.logs().get(index), rounds.get(index), round, losses, replayed);
        }
      }
    }
    finish();
    return losses.list();
  }

  private void flush(
      BurstLog log, FlushRounds rounds, int round, RangeLosses losses, LongConsumer replayed)
      throws IOException {
    MergedFlush flush = new MergedFlush(target.layout(), recordCount);
    for (int number = rounds.first(round); number < rounds.end(round); number++) {
      flush.add(number, log.put(number));
    }
    flush.forEach(
        (number, put, cells, firstCell) -> {
          new PutReplay(target, losses, log, number, put).write(cells, firstCell);
          replayed.accept(cells.cellCount() * put.type().size());
        });
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

  @Override
  public void close() throws IOException {
    target.close();
  }

  /** Values of a put that became the fill value of their variable, whose cells cannot have them. */
  public static final class RangeLoss {
    private final int rank;
    private final int put;
    private final Variable variable;
    private final long count;
    private final long[] first;

    RangeLoss(int rank, int put, Variable variable, long count, long[] first) {
      this.rank = rank;
      this.put = put;
      this.variable = variable;
      this.count = count;
      this.first = first;
    }

    /** Both, of the same put. */
    RangeLoss with(RangeLoss other) {
      long[] earlier = Arrays.compare(first, other.first) <= 0 ? first : other.first;
      return new RangeLoss(rank, put, variable, count + other.count, earlier);
    }

    /** Whose log it is. */
    public int rank() {
      return rank;
    }

    /** The number of the put in that log. */
    public int put() {
      return put;
    }

    /** The name of the variable. */
    public String variable() {
      return variable.name();
    }

    /** How many values. */
    public long count() {
      return count;
    }

    /** Where the first one belongs. */
    public long[] first() {
      return first.clone();
    }

    @Override
    public String toString() {
      return String.format(
          "put %d of rank %d: %d values do not fit into variable %s, which is of type %s, and"
              + " became its fill value; the first belongs to %s",
          put, rank, count, variable.name(), variable.type(), Arrays.toString(first));
    }
  }

  /**
   * What is put to a variable.
   *
   * @param name its name
   * @param putCount how many puts there are
   * @param valueCount how many values they have
   * @param cellCount how many cells get a value
   */
  public record VariableShare(String name, long putCount, long valueCount, long cellCount) {
    /** How many values do not count, since others are put to the same cells. */
    public long overlappingCount() {
      return valueCount - cellCount;
    }
  }

  /**
   * Which of several puts counts where they overlap, and which box of one put. {@link
   * BurstReplay#runAsPnetcdf} has another rule, that of PnetCDF.
   */
  public enum OverlapOrder {
    /** The last one by rank, by time among those of one rank, and by its place in its put. */
    LAST,

    /** The first one by rank, by time, and by its place in its put. */
    FIRST,

    /** None: overlaps are refused. */
    ERROR
  }
}
