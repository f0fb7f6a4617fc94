package dev.cairn.sion.file;

import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.TaskColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Numbers the tasks of a set whose mapping is gone, by what META1 of each file says. Helpers, which
 * only buddy files have, stay out: they have a negative global rank and no room for a byte. Every
 * file has a task, so where all of a file's tasks look like helpers, they are tasks.
 */
public final class Numbering {
  private final SortedMap<Integer, FileHead> files;

  /** Numbers the tasks of these files, which are keyed by file number. */
  public Numbering(SortedMap<Integer, FileHead> files) {
    this.files = files;
  }

  /** The number of tasks in the files that were found. */
  public int taskCount() {
    return places().size();
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    files.forEach((fileNumber, head) -> addTasks(places, fileNumber, head));
    return places;
  }

  private static void addTasks(List<Place> places, int fileNumber, FileHead head) {
    int before = places.size();
    addTasks(places, fileNumber, head, localRank -> !looksLikeHelper(head.columns(), localRank));
    if (places.size() == before) {
      addTasks(places, fileNumber, head, localRank -> true);
    }
  }

  private static void addTasks(
      List<Place> places, int fileNumber, FileHead head, IntPredicate isTask) {
    IntStream.range(0, head.taskCount())
        .filter(isTask)
        .forEach(localRank -> places.add(new Place(fileNumber, localRank)));
  }

  private static boolean looksLikeHelper(TaskColumns columns, int localRank) {
    return columns.globalRank(localRank) < 0 && columns.chunkSize(localRank) == 0;
  }

  /** Task after task, file after file. */
  public MappingTable byFile() {
    return table(places());
  }

  /** By their global ranks, if these are the numbers from 0 on, each of them once. */
  public Optional<MappingTable> byGlobalRank() {
    List<Place> places = places();
    if (misnumbered(places).isPresent()) {
      return Optional.empty();
    }
    Place[] ordered = new Place[places.size()];
    places.forEach(place -> ordered[(int) globalRank(place)] = place);
    return Optional.of(table(Arrays.asList(ordered)));
  }

  /** The first task whose global rank is too large, negative, or that of a task before. */
  public Optional<Place> misnumbered() {
    return misnumbered(places());
  }

  /** The same, if the tasks of the file {@code suspect} come after all others. */
  public Optional<Place> misnumberedWithLast(int suspect) {
    List<Place> places = places();
    places.sort(Comparator.comparing(place -> place.fileNumber() == suspect));
    return misnumbered(places);
  }

  private Optional<Place> misnumbered(List<Place> places) {
    BitSet taken = new BitSet(places.size());
    for (Place place : places) {
      long rank = globalRank(place);
      if (rank < 0 || rank >= places.size() || taken.get((int) rank)) {
        return Optional.of(place);
      }
      taken.set((int) rank);
    }
    return Optional.empty();
  }

  private long globalRank(Place place) {
    return Objects.requireNonNull(files.get(place.fileNumber()))
        .columns()
        .globalRank(place.localRank());
  }

  private static MappingTable table(List<Place> places) {
    return new MappingTable(
        places.stream().mapToInt(Place::fileNumber).toArray(),
        places.stream().mapToInt(Place::localRank).toArray());
  }

  /** Where a task lies. */
  public record Place(int fileNumber, int localRank) {}
}
