package dev.cairn.sion.salvage;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.file.FileSource;
import dev.cairn.sion.file.MemberCheck;
import dev.cairn.sion.file.Numbering;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Gathers what is left of a multifile. Files are found by listing the directory, since a damaged
 * number of files can be as large as 2^31 - 1.
 */
final class SalvageSearch {
  private final BlockStore store;
  private final Path path;
  private final Salvage.SearchWatch watch;
  private final SortedMap<Integer, FileHead> heads = new TreeMap<>();
  private final SortedMap<Integer, FoundFile> found = new TreeMap<>();

  SalvageSearch(BlockStore store, Path path, Salvage.SearchWatch watch) {
    this.store = store;
    this.path = path;
    this.watch = watch;
  }

  /**
   * Opens the files that were found.
   *
   * @throws IOException the strict reader's exception, if no file has a readable META1
   */
  SalvageView run() throws IOException {
    try {
      return open();
    } catch (IOException | RuntimeException failure) {
      CloseAll.close(List.copyOf(heads.values()));
      throw failure;
    }
  }

  private SalvageView open() throws IOException {
    Optional<IOException> trouble = openHead(0, path);
    FileHead opened = heads.get(0);
    if (opened != null && !opened.isFirstOfSeveral()) {
      return alone(opened);
    }
    openMembers();
    if (heads.isEmpty()) {
      throw trouble.orElseThrow();
    }
    FileHead first = Objects.requireNonNull(heads.get(heads.firstKey()));
    dropSurplus(first.header().fileCount());
    refuseStrangers(first);
    if (heads.isEmpty() && found.isEmpty()) {
      throw trouble.orElseThrow();
    }
    return set(first);
  }

  /** Opens META1 of one file; returns why not, if that cannot be. */
  private Optional<IOException> openHead(int fileNumber, Path file) {
    try {
      heads.put(fileNumber, FileHead.open(FileSource.in(store), file));
      return Optional.empty();
    } catch (NoSuchFileException missing) {
      return Optional.of(missing);
    } catch (IOException trouble) {
      found.put(fileNumber, FoundFile.lost(fileNumber, file, trouble));
      return Optional.of(trouble);
    }
  }

  /** A file that is not the first of several: its own tasks by local rank. */
  private SalvageView alone(FileHead head) throws IOException {
    found.put(0, examine(0, head, head.taskCount()));
    requireAnything();
    int[] localRanks = IntStream.range(0, head.taskCount()).toArray();
    MappingTable places = new MappingTable(new int[localRanks.length], localRanks);
    return new SalvageView(path, 1, found, places, SalvageView.TaskNumbers.AS_WRITTEN);
  }

  private void openMembers() throws IOException {
    Path parent = path.getParent();
    String name = path.getFileName().toString();
    for (Path file : store.list(parent == null ? Path.of("") : parent)) {
      OptionalInt number = FileNames.number(name, file.getFileName().toString());
      if (number.isPresent() && number.getAsInt() > 0) {
        openHead(number.getAsInt(), file);
      }
    }
  }

  /**
   * A file with a number behind the last one does not belong to the set. It can be the only file
   * found.
   */
  private void dropSurplus(int fileCount) throws IOException {
    SortedMap<Integer, FileHead> surplus = heads.tailMap(fileCount);
    CloseAll.close(List.copyOf(surplus.values()));
    surplus.clear();
    found.tailMap(fileCount).clear();
  }

  /** A file of another multifile counts as lost. */
  private void refuseStrangers(FileHead first) throws IOException {
    for (Map.Entry<Integer, FileHead> entry : Map.copyOf(heads).entrySet()) {
      try {
        MemberCheck.require(first, entry.getValue(), entry.getKey());
      } catch (SionException stranger) {
        heads.remove(entry.getKey());
        entry.getValue().close();
        found.put(
            entry.getKey(), FoundFile.lost(entry.getKey(), entry.getValue().path(), stranger));
      }
    }
  }

  private SalvageView set(FileHead first) throws IOException {
    int fileCount = first.header().fileCount();
    long mappedTasks = mappedTasks(fileCount);
    for (Map.Entry<Integer, FileHead> entry : heads.entrySet()) {
      long behindMetaTwo = entry.getKey() == 0 ? mappedTasks : 0;
      found.put(entry.getKey(), examine(entry.getKey(), entry.getValue(), behindMetaTwo));
    }
    requireAnything();
    return numbered(fileCount);
  }

  /** Refuses a set of which no file has a readable META1. */
  private void requireAnything() throws IOException {
    if (found.values().stream().allMatch(file -> file.head().isEmpty())) {
      throw found.values().iterator().next().finding().trouble().orElseThrow();
    }
  }

  /** How many tasks the mapping has; if files are missing, any number. */
  private long mappedTasks(int fileCount) {
    return heads.size() < fileCount
        ? Integer.MAX_VALUE
        : heads.values().stream().mapToLong(FileHead::taskCount).sum();
  }

  private FoundFile examine(int fileNumber, FileHead head, long mappedTasks) throws IOException {
    try {
      return FoundFile.closed(fileNumber, PhysicalFile.closed(head));
    } catch (IOException unclosed) {
      return search(fileNumber, head, mappedTasks, unclosed);
    }
  }

  private FoundFile search(int fileNumber, FileHead head, long mappedTasks, IOException why)
      throws IOException {
    try {
      return FoundFile.unclosed(
          fileNumber, UnclosedFile.examine(head, mappedTasks, watch::searched), why);
    } catch (IOException givenUp) {
      head.close();
      return FoundFile.lost(fileNumber, head.path(), givenUp);
    }
  }

  private SalvageView numbered(int fileCount) throws IOException {
    Optional<MappingTable> written = mapping();
    if (written.isPresent()) {
      return view(fileCount, written.get(), SalvageView.TaskNumbers.AS_WRITTEN);
    }
    Numbering numbering = new Numbering(knownHeads());
    Optional<MappingTable> byRank =
        heads.size() < fileCount ? Optional.empty() : numbering.byGlobalRank();
    return byRank.isPresent()
        ? view(fileCount, byRank.get(), SalvageView.TaskNumbers.BY_GLOBAL_RANK)
        : view(fileCount, numbering.byFile(), SalvageView.TaskNumbers.BY_FILE);
  }

  private SortedMap<Integer, FileHead> knownHeads() {
    SortedMap<Integer, FileHead> known = new TreeMap<>();
    found.forEach((number, file) -> file.head().ifPresent(head -> known.put(number, head)));
    return known;
  }

  private SalvageView view(int fileCount, MappingTable places, SalvageView.TaskNumbers numbers) {
    return new SalvageView(path, fileCount, found, places, numbers);
  }

  /**
   * The mapping of file 0, if it is consistent with the files. Otherwise file 0 counts as not
   * closed.
   */
  private Optional<MappingTable> mapping() throws IOException {
    FoundFile first = found.get(0);
    if (first == null || first.closedFile().isEmpty()) {
      return Optional.empty();
    }
    PhysicalFile file = first.closedFile().get();
    try {
      MappingTable mapping = file.readMapping();
      new MappingCheck(file, mapping, found).run();
      return Optional.of(mapping);
    } catch (SionException noMapping) {
      found.put(0, FoundFile.unclosed(0, UnclosedFile.known(file), noMapping));
      return Optional.empty();
    }
  }
}
