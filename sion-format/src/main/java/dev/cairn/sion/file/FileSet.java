package dev.cairn.sion.file;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.layout.LongIndex;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The physical files of one multifile, each opened for reading when it is first needed. Tasks are
 * found through the mapping of file 0; a file that has none shows its own tasks by local rank. It
 * owns the open files. Opening belongs to one thread; afterwards any thread may read.
 */
public final class FileSet implements Closeable {
  private final FileSource.Origin origin;
  private final PhysicalFile first;
  private final Optional<MappingTable> mapping;
  private final PhysicalFile[] files;

  /** Made when the first task is asked for by its global rank. */
  private volatile Optional<LongIndex> tasksByRank = Optional.empty();

  private FileSet(FileSource.Origin origin, PhysicalFile[] files, MappingTable mapping) {
    this.origin = origin;
    this.first = files[0];
    this.mapping = Optional.of(mapping);
    this.files = files;
  }

  private FileSet(FileSource.Origin origin, PhysicalFile first, Optional<MappingTable> mapping) {
    this.origin = origin;
    this.first = first;
    this.mapping = mapping;
    this.files = new PhysicalFile[mapping.isPresent() ? first.header().fileCount() : 1];
    files[0] = first;
  }

  /** Opens file 0, or any physical file alone. */
  public static FileSet open(FileSource.Origin origin, Path path) throws IOException {
    PhysicalFile first = PhysicalFile.open(origin, path);
    try {
      return new FileSet(origin, first, mappingOf(first));
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, first);
      throw failure;
    }
  }

  /** Opens any physical file alone, also file 0 of several. */
  public static FileSet alone(FileSource.Origin origin, Path path) throws IOException {
    return new FileSet(origin, PhysicalFile.open(origin, path), Optional.empty());
  }

  /** Files that are open, and where the tasks lie in them. */
  public static FileSet of(
      FileSource.Origin origin, List<PhysicalFile> files, MappingTable mapping) {
    return new FileSet(origin, files.toArray(PhysicalFile[]::new), mapping);
  }

  private static Optional<MappingTable> mappingOf(PhysicalFile first) throws IOException {
    if (!first.head().isFirstOfSeveral()) {
      return Optional.empty();
    }
    MappingTable table = first.readMapping();
    requireTaskPerFile(first, table);
    return Optional.of(table);
  }

  /** Every file has a task, so a mapping of fewer tasks than files is damaged. */
  private static void requireTaskPerFile(PhysicalFile first, MappingTable table)
      throws SionException {
    int fileCount = first.header().fileCount();
    if (table.taskCount() < fileCount) {
      throw new SionException.Corrupt(
          first.path(),
          first.metaTwoEnd(),
          "mapping size",
          "at least " + fileCount + ", the number of files",
          Integer.toString(table.taskCount()));
    }
  }

  public PhysicalFile first() {
    return first;
  }

  public int fileCount() {
    return files.length;
  }

  public int taskCount() {
    return mapping.map(MappingTable::taskCount).orElseGet(() -> first.header().taskCount());
  }

  public int fileNumber(int task) {
    return mapping.map(table -> table.file(task)).orElse(0);
  }

  public int localRank(int task) {
    return mapping.map(table -> table.localRank(task)).orElse(task);
  }

  /** Where each task lies. */
  public MappingTable places() {
    int[] localRanks = IntStream.range(0, taskCount()).toArray();
    return mapping.orElseGet(() -> new MappingTable(new int[localRanks.length], localRanks));
  }

  public boolean isMapped() {
    return mapping.isPresent();
  }

  /** A physical file that has been opened. */
  public PhysicalFile file(int fileNumber) {
    return files[fileNumber];
  }

  /** Opens every file and checks that the mapping names each task's place once. */
  public void openAll() throws IOException {
    for (int fileNumber = 0; fileNumber < files.length; fileNumber++) {
      open(fileNumber);
    }
    if (mapping.isPresent()) {
      requireEachPlaceOnce(mapping.get());
    }
  }

  /** The only task of a global rank; all files must be open. */
  public int taskOfGlobalRank(long globalRank) {
    LongIndex index = tasksByRank();
    int task = index.first(globalRank);
    if (task < 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: none of its %d tasks has the global rank %d.",
              first.path(), taskCount(), globalRank));
    }
    int second = index.next(task);
    if (second >= 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: tasks %d and %d both have the global rank %d: ask by task number.",
              first.path(), task, second, globalRank));
    }
    return task;
  }

  private LongIndex tasksByRank() {
    LongIndex index = tasksByRank.orElseGet(this::indexRanks);
    tasksByRank = Optional.of(index);
    return index;
  }

  private LongIndex indexRanks() {
    LongIndex index = new LongIndex(taskCount());
    for (int task = 0; task < taskCount(); task++) {
      index.add(file(fileNumber(task)).columns().globalRank(localRank(task)));
    }
    return index;
  }

  /** The file that holds a task's chunks, opened if it is not open. */
  public PhysicalFile openFileOf(int task) throws IOException {
    requireTask(task);
    PhysicalFile file = open(fileNumber(task));
    requireLocalRank(task, file);
    return file;
  }

  public void requireTask(int task) {
    if (task < 0 || task >= taskCount()) {
      throw new IllegalArgumentException(
          String.format(
              "%s has tasks 0 to %d, but task %d was asked for.",
              first.path(), taskCount() - 1, task));
    }
  }

  private PhysicalFile open(int fileNumber) throws IOException {
    if (files[fileNumber] == null) {
      files[fileNumber] = openMember(fileNumber);
    }
    return files[fileNumber];
  }

  private PhysicalFile openMember(int fileNumber) throws IOException {
    Path path = FileNames.physical(first.path(), fileNumber);
    try {
      PhysicalFile member = PhysicalFile.open(origin, path);
      try {
        MemberCheck.require(first.head(), member.head(), fileNumber);
        return member;
      } catch (IOException | RuntimeException failure) {
        CloseAll.after(failure, member);
        throw failure;
      }
    } catch (NoSuchFileException missing) {
      throw new SionException.MissingFile(path, first.path(), fileNumber, files.length);
    }
  }

  private void requireEachPlaceOnce(MappingTable table) throws SionException {
    BitSet[] named = new BitSet[files.length];
    for (int fileNumber = 0; fileNumber < files.length; fileNumber++) {
      named[fileNumber] = new BitSet(files[fileNumber].header().taskCount());
    }
    for (int task = 0; task < table.taskCount(); task++) {
      requireLocalRank(task, files[table.file(task)]);
      BitSet places = named[table.file(task)];
      if (places.get(table.localRank(task))) {
        throw corruptMapping(task, "a place that no earlier task has");
      }
      places.set(table.localRank(task));
    }
    for (int fileNumber = 0; fileNumber < files.length; fileNumber++) {
      requireNoHiddenData(files[fileNumber], fileNumber, named[fileNumber]);
    }
  }

  private void requireLocalRank(int task, PhysicalFile file) throws SionException {
    int taskCount = file.header().taskCount();
    if (localRank(task) >= taskCount) {
      throw corruptMapping(task, "a local rank below " + taskCount);
    }
  }

  /** Only helpers without data, which buddy files have, may be missing in the mapping. */
  private void requireNoHiddenData(PhysicalFile file, int fileNumber, BitSet named)
      throws SionException {
    int taskCount = file.header().taskCount();
    for (int rank = named.nextClearBit(0); rank < taskCount; rank = named.nextClearBit(rank + 1)) {
      if (file.blocks().size(rank) > 0) {
        throw new SionException.Corrupt(
            first.path(),
            first.metaTwoEnd(),
            "mapping",
            String.format("one that names local rank %d of file %d", rank, fileNumber),
            "one that leaves its " + file.blocks().size(rank) + " bytes out");
      }
    }
  }

  private SionException corruptMapping(int task, String expected) {
    return new SionException.Corrupt(
        first.path(),
        first.metaTwoEnd() + Integer.BYTES + 2L * Integer.BYTES * task,
        "mapping of task " + task,
        expected,
        String.format("file %d, local rank %d", fileNumber(task), localRank(task)));
  }

  @Override
  public void close() throws IOException {
    CloseAll.close(Stream.of(files).filter(Objects::nonNull).toList());
  }
}
