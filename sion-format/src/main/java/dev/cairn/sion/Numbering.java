package dev.cairn.sion;

import dev.cairn.sion.format.MappingTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Numbers the tasks of a set whose mapping is gone, by what META1 of each file says. Helpers, which
 * only buddy files have, stay out: they have a negative global rank and no room for a byte.
 */
final class Numbering {
  private final SortedMap<Integer, FoundFile> files;

  /** The numbering of files by their numbers. */
  Numbering(SortedMap<Integer, FoundFile> files) {
    this.files = files;
  }

  /** How many tasks the files have that are there. */
  int taskCount() {
    return places().size();
  }

  private List<TaskPlace> places() {
    List<TaskPlace> places = new ArrayList<>();
    files.forEach(
        (fileNumber, file) -> file.head().ifPresent(head -> addTasks(places, fileNumber, head)));
    return places;
  }

  private static void addTasks(List<TaskPlace> places, int fileNumber, FileHead head) {
    for (int localRank = 0; localRank < head.taskCount(); localRank++) {
      if (head.columns().globalRank(localRank) >= 0 || head.columns().chunkSize(localRank) > 0) {
        places.add(new TaskPlace(fileNumber, localRank));
      }
    }
  }

  /** Task after task, file after file. */
  MappingTable byFile() {
    return table(places());
  }

  /** By their global ranks, if these are the numbers from 0 on, each of them once. */
  Optional<MappingTable> byGlobalRank() {
    List<TaskPlace> places = places();
    if (misnumbered(places).isPresent()) {
      return Optional.empty();
    }
    TaskPlace[] ordered = new TaskPlace[places.size()];
    places.forEach(place -> ordered[(int) globalRank(place)] = place);
    return Optional.of(table(Arrays.asList(ordered)));
  }

  /** The first task whose global rank is too large, negative, or that of a task before. */
  Optional<TaskPlace> misnumbered() {
    return misnumbered(places());
  }

  /** The same, if the tasks of the file {@code suspect} come after all others. */
  Optional<TaskPlace> misnumberedWithLast(int suspect) {
    List<TaskPlace> places = places();
    places.sort(Comparator.comparing(place -> place.fileNumber() == suspect));
    return misnumbered(places);
  }

  private Optional<TaskPlace> misnumbered(List<TaskPlace> places) {
    BitSet taken = new BitSet(places.size());
    for (TaskPlace place : places) {
      long rank = globalRank(place);
      if (rank < 0 || rank >= places.size() || taken.get((int) rank)) {
        return Optional.of(place);
      }
      taken.set((int) rank);
    }
    return Optional.empty();
  }

  private long globalRank(TaskPlace place) {
    return Objects.requireNonNull(files.get(place.fileNumber()))
        .head()
        .orElseThrow()
        .columns()
        .globalRank(place.localRank());
  }

  private static MappingTable table(List<TaskPlace> places) {
    return new MappingTable(
        places.stream().mapToInt(TaskPlace::fileNumber).toArray(),
        places.stream().mapToInt(TaskPlace::localRank).toArray());
  }
}
