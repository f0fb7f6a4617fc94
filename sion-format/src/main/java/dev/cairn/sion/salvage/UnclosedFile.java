package dev.cairn.sion.salvage;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.EntryBudget;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.file.Padding;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.layout.BlockGeometry;
import dev.cairn.sion.salvage.search.BytesSearched;
import dev.cairn.sion.salvage.search.MetaTwoSearch;
import dev.cairn.sion.salvage.search.TaskSpace;
import dev.cairn.sion.salvage.search.TaskTrace;
import dev.cairn.sion.salvage.search.Tracing;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A physical file whose META1 leads to no good META2, and what its bytes tell of its tasks'
 * lengths. It owns the open file. Examining it belongs to one thread; afterwards any thread may
 * read.
 */
final class UnclosedFile implements Closeable {
  private final FileHead head;
  private final TaskTrace[] traces;

  /** Made when the first task is read. */
  private final Map<Salvage.Lengths, PhysicalFile> assumed = new EnumMap<>(Salvage.Lengths.class);

  /** Whether a META2 was found. */
  private boolean isKnown;

  private UnclosedFile(FileHead head) {
    this.head = head;
    this.traces = new TaskTrace[head.taskCount()];
  }

  /**
   * Derives the lengths of the tasks from the bytes of the file.
   *
   * @param head the file, which is taken over unless this throws
   * @param mappedTasks the tasks of the whole set, if this file is the one that holds its mapping
   */
  static UnclosedFile examine(FileHead head, long mappedTasks, BytesSearched watch)
      throws IOException {
    UnclosedFile file = new UnclosedFile(head);
    MetaTwoSearch search = new MetaTwoSearch(head, mappedTasks, watch);
    Optional<BlockTable> byTail = search.byHalfOfTail();
    if (byTail.isPresent()) {
      file.believe(byTail.get());
    } else {
      file.trace(search, watch);
    }
    return file;
  }

  /** A file with a good META2 and a bad mapping behind it. */
  static UnclosedFile known(PhysicalFile file) throws SionException {
    UnclosedFile unclosed = new UnclosedFile(file.head());
    unclosed.believe(file.blocks());
    return unclosed;
  }

  /** Takes the exact lengths from a META2. */
  private void believe(BlockTable blocks) throws SionException {
    EntryBudget budget = new EntryBudget(head.path());
    for (int localRank = 0; localRank < traces.length; localRank++) {
      traces[localRank] = TaskTrace.known(blocks, localRank, budget);
    }
    isKnown = true;
  }

  private void trace(MetaTwoSearch search, BytesSearched watch) throws IOException {
    Optional<BlockTable> atEnd = search.atEndOfFile();
    if (atEnd.isPresent()) {
      int blockCount = atEnd.get().maxBlocks();
      traceAll(new Tracing(head, watch, blockCount, blockCount));
      if (explains(atEnd.get())) {
        believe(atEnd.get());
        return;
      }
    }
    traceAll(tracing(search, watch));
  }

  private Tracing tracing(MetaTwoSearch search, BytesSearched watch) throws IOException {
    OptionalInt told = blocksByTail();
    return told.isPresent()
        ? new Tracing(head, watch, told.getAsInt(), told.getAsInt())
        : new Tracing(head, watch, search.fewestBlocks(), TaskSpace.blocksIn(head));
  }

  /** A tail that was written holds the number of blocks, even if META2 is damaged. */
  private OptionalInt blocksByTail() throws IOException {
    try {
      return OptionalInt.of(head.readTail().maxBlocks());
    } catch (SionException noTail) {
      return OptionalInt.empty();
    }
  }

  private void traceAll(Tracing tracing) throws IOException {
    for (int localRank = 0; localRank < traces.length; localRank++) {
      traces[localRank] = tracing.trace(localRank);
    }
  }

  /**
   * Data can look like a META2 by chance, but such a table does not cover all bytes of the tasks.
   */
  private boolean explains(BlockTable blocks) {
    for (int localRank = 0; localRank < traces.length; localRank++) {
      if (!traces[localRank].isWithin(blocks, localRank)) {
        return false;
      }
    }
    return true;
  }

  FileHead head() {
    return head;
  }

  /** The length of a task's stream. */
  long size(int localRank, Salvage.Lengths lengths) {
    TaskTrace trace = traces[localRank];
    return lengths == Salvage.Lengths.LEAST ? trace.leastSize() : trace.most().size();
  }

  /** A remark on the task for the report; may be empty. */
  String remark(int localRank) {
    return traces[localRank].remark();
  }

  /** The file as it would be if its tasks had these lengths; closing it closes this one. */
  synchronized PhysicalFile assume(Salvage.Lengths lengths) throws SionException {
    PhysicalFile file = assumed.get(lengths);
    if (file == null) {
      BlockTable blocks = BlockTable.of(bytesPerBlock(lengths), geometry()::chunkSize);
      file = PhysicalFile.of(head, blocks);
      assumed.put(lengths, file);
    }
    return file;
  }

  /**
   * The table to close the file with. The new META2 lies behind all bytes of the file, so one task
   * gets the empty blocks that this takes. A META2 that is known is written again at its old place.
   */
  BlockTable closingTable(Salvage.Lengths lengths) throws IOException {
    long[][] bytes = bytesPerBlock(lengths);
    int blockCount = isKnown ? Padding.largest(bytes) : blocksBefore();
    Padding.pad(bytes, blockCount, new EntryBudget(head.path()));
    return BlockTable.of(bytes, geometry()::chunkSize);
  }

  private int blocksBefore() throws IOException {
    OptionalInt told = blocksByTail();
    return told.isPresent() ? told.getAsInt() : TaskSpace.blocksIn(head);
  }

  private long[][] bytesPerBlock(Salvage.Lengths lengths) throws SionException {
    EntryBudget budget = new EntryBudget(head.path());
    long[][] bytes = new long[traces.length][];
    for (int localRank = 0; localRank < bytes.length; localRank++) {
      TaskTrace trace = traces[localRank];
      bytes[localRank] =
          lengths == Salvage.Lengths.LEAST ? trace.least() : trace.most().bytesPerBlock(budget);
    }
    return bytes;
  }

  private BlockGeometry geometry() {
    return head.geometry();
  }

  @Override
  public void close() throws IOException {
    head.close();
  }
}
