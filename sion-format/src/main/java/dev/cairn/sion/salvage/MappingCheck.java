package dev.cairn.sion.salvage;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.MappingTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Checks the mapping of a broken multifile by the rules of {@link FileSet}, as far as the files are
 * readable.
 */
final class MappingCheck {
  private final PhysicalFile first;
  private final MappingTable mapping;
  private final SortedMap<Integer, FoundFile> files;

  MappingCheck(PhysicalFile first, MappingTable mapping, SortedMap<Integer, FoundFile> files) {
    this.first = first;
    this.mapping = mapping;
    this.files = files;
  }

  void run() throws SionException {
    int fileCount = first.header().fileCount();
    if (mapping.taskCount() < fileCount) {
      throw corrupt("size", 0, "at least " + fileCount, Integer.toString(mapping.taskCount()));
    }
    Map<Integer, BitSet> named = new HashMap<>();
    for (int task = 0; task < mapping.taskCount(); task++) {
      if (taskCount(mapping.file(task)).isPresent()) {
        name(task, named.computeIfAbsent(mapping.file(task), unused -> new BitSet()));
      }
    }
    for (Map.Entry<Integer, FoundFile> file : files.entrySet()) {
      BitSet places = named.getOrDefault(file.getKey(), new BitSet());
      requireNoHiddenData(file.getKey(), file.getValue(), places);
    }
  }

  /** Each task has a place of its own. */
  private void name(int task, BitSet places) throws SionException {
    int fileNumber = mapping.file(task);
    int localRank = mapping.localRank(task);
    if (localRank >= taskCount(fileNumber).orElseThrow() || places.get(localRank)) {
      throw corrupt(
          "of task " + task,
          Integer.BYTES + 2L * Integer.BYTES * task,
          "a place that exists and that no earlier task has",
          String.format("file %d, local rank %d", fileNumber, localRank));
    }
    places.set(localRank);
  }

  /** Empty for a file without a readable META1. */
  private Optional<Integer> taskCount(int fileNumber) {
    return Optional.ofNullable(files.get(fileNumber))
        .flatMap(FoundFile::head)
        .map(FileHead::taskCount);
  }

  /** A repair may count all that a task can have written. */
  private void requireNoHiddenData(int fileNumber, FoundFile file, BitSet named)
      throws SionException {
    int taskCount = file.head().map(FileHead::taskCount).orElse(0);
    for (int rank = named.nextClearBit(0); rank < taskCount; rank = named.nextClearBit(rank + 1)) {
      if (file.size(rank, Salvage.Lengths.MOST) > 0) {
        String place = String.format("local rank %d of file %d", rank, fileNumber);
        throw corrupt("", 0, "one that names " + place, "one that leaves its data out");
      }
    }
  }

  private SionException corrupt(String part, long offset, String expected, String found) {
    return new SionException.Corrupt(
        first.path(), first.metaTwoEnd() + offset, ("mapping " + part).strip(), expected, found);
  }
}
