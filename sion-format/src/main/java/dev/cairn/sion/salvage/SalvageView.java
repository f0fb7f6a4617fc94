package dev.cairn.sion.salvage;

import dev.cairn.sion.Content;
import dev.cairn.sion.FileMapping;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.MultifileSpec;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.KeyValueMode;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.layout.FileNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * What is left of a multifile that {@link Multifile#open} refuses: files may be missing, damaged or
 * never closed. It lists the tasks that can be read. Bytes outside of a task's chunks are never
 * shown as data; {@link Salvage.Lengths} selects how many bytes of the chunks count.
 *
 * <p>It owns the open files; the caller that opened it closes it. Any number of threads may read at
 * once.
 */
public final class SalvageView implements Closeable {
  private final Path path;
  private final int fileCount;
  private final SortedMap<Integer, FoundFile> files;
  private final MappingTable places;
  private final TaskNumbers numbers;

  SalvageView(
      Path path,
      int fileCount,
      SortedMap<Integer, FoundFile> files,
      MappingTable places,
      TaskNumbers numbers) {
    this.path = path;
    this.fileCount = fileCount;
    this.files = files;
    this.places = places;
    this.numbers = numbers;
  }

  /** How many physical files the multifile was written into. */
  public int fileCount() {
    return fileCount;
  }

  /** The files that were found, in order; missing ones are not among them. */
  public List<SalvagedFile> files() {
    return files.values().stream().map(FoundFile::finding).toList();
  }

  /** The numbers of the files that are missing. */
  public IntStream missingFiles() {
    return IntStream.range(0, fileCount).filter(fileNumber -> !files.containsKey(fileNumber));
  }

  /** How many files are missing. */
  public int missingFileCount() {
    return fileCount - files.size();
  }

  /** Whether nothing is broken: then {@link Multifile#open} reads the same. */
  public boolean isWhole() {
    return missingFileCount() == 0
        && numbers == TaskNumbers.AS_WRITTEN
        && files.values().stream().allMatch(file -> file.closedFile().isPresent());
  }

  /** Where the numbers of the tasks come from. */
  public TaskNumbers numbers() {
    return numbers;
  }

  /** How many tasks are known, readable or not. */
  public int taskCount() {
    return places.taskCount();
  }

  /** What is known of a task. */
  public SalvagedTask task(int task) {
    if (task < 0 || task >= taskCount()) {
      throw new IllegalArgumentException(
          String.format(
              "%s has tasks 0 to %d that are known, but task %d was asked for.",
              path, taskCount() - 1, task));
    }
    FileMapping.TaskPlace place =
        new FileMapping.TaskPlace(places.file(task), places.localRank(task));
    return new SalvagedTask(task, place, file(place.fileNumber()));
  }

  /** The file with this number; a lost one if it is missing. */
  FoundFile file(int fileNumber) {
    FoundFile found = files.get(fileNumber);
    return found == null ? missing(fileNumber) : found;
  }

  private FoundFile missing(int fileNumber) {
    Path missing = FileNames.physical(path, fileNumber);
    return FoundFile.lost(
        fileNumber, missing, new SionException.MissingFile(missing, path, fileNumber, fileCount));
  }

  /** The mapping that stands behind META2 of file 0, or should stand there. */
  Optional<MappingTable> mapping() {
    FileHead head = head();
    if (head.isFirstOfSeveral()) {
      return Optional.of(places);
    }
    return head.isSerial() ? Optional.of(MappingTable.NO_TASKS) : Optional.empty();
  }

  /** What the streams hold. */
  public Content content() {
    return head().header().keyValueMode() == KeyValueMode.INLINE ? Content.RECORDS : Content.BYTES;
  }

  /** A serial multifile of the same content, block size and user data order. */
  MultifileSpec specAt(Path copy) {
    FileHeader header = head().header();
    return MultifileSpec.serial(copy)
        .withBlockSize(header.blockSize())
        .withContent(content())
        .withUserDataOrder(EndiannessWord.userOrder(header.endiannessWord(), head().metaOrder()));
  }

  /** META1 of the first file that has one. A view is only made if there is such a file. */
  private FileHead head() {
    return files.values().stream().flatMap(file -> file.head().stream()).findFirst().orElseThrow();
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    CloseAll.close(List.copyOf(files.values()));
  }

  /** Where the numbers of the tasks of a broken multifile come from. */
  public enum TaskNumbers {
    /** The mapping gives the numbers. */
    AS_WRITTEN,

    /**
     * The mapping is lost. The global ranks, which run from 0 without a gap, replace it: SIONlib
     * numbers tasks by global rank.
     */
    BY_GLOBAL_RANK,

    /** The numbers are lost: tasks are counted through the files that were found. */
    BY_FILE
  }

  /**
   * What was found of one physical file of a broken multifile.
   *
   * @param fileNumber its number in the set
   * @param path where it lies, or should lie
   * @param condition how it is
   * @param trouble the strict reader's exception; empty if the file is closed
   */
  public record SalvagedFile(
      int fileNumber, Path path, Condition condition, Optional<IOException> trouble) {

    /** How a physical file is. */
    public enum Condition {
      /** It is whole, and the lengths of its tasks are known. */
      CLOSED,
      /** META1 is good but leads to no good META2. Lengths are derived from the bytes. */
      UNCLOSED,
      /** It is missing, unreadable, or not of this multifile. */
      LOST
    }
  }

  /**
   * One task of a broken multifile: whether it can be read, and how long its stream is or can be.
   * It owns nothing; the view that it comes from does. Any thread may call it.
   */
  public static final class SalvagedTask {
    private final int task;
    private final FileMapping.TaskPlace place;
    private final FoundFile file;

    SalvagedTask(int task, FileMapping.TaskPlace place, FoundFile file) {
      this.task = task;
      this.place = place;
      this.file = file;
    }

    /** Its number in the view; {@link SalvageView#numbers} says whether it is the writer's. */
    public int task() {
      return task;
    }

    /** Where its stream lies. */
    public FileMapping.TaskPlace place() {
      return place;
    }

    /** The number by which the writing program knew it; nothing if its file is lost. */
    public OptionalLong globalRank() {
      return file.head().isPresent()
          ? OptionalLong.of(file.head().get().columns().globalRank(place.localRank()))
          : OptionalLong.empty();
    }

    /** Why it cannot be read; nothing if it can. */
    public Optional<IOException> trouble() {
      return file.head().isPresent() ? Optional.empty() : file.finding().trouble();
    }

    /** Whether its length is known to the byte. */
    public boolean isExact() {
      return trouble().isEmpty() && size(Salvage.Lengths.LEAST) == size(Salvage.Lengths.MOST);
    }

    /** The length of its stream, which is 0 if it cannot be read. */
    public long size(Salvage.Lengths lengths) {
      return file.size(place.localRank(), lengths);
    }

    /** A remark on a length that was derived from the bytes; may be empty. */
    public String remark() {
      return file.remark(place.localRank());
    }

    /**
     * Its stream with this length. Closing it does nothing.
     *
     * @throws IOException the trouble, if it cannot be read
     */
    public TaskView read(Salvage.Lengths lengths) throws IOException {
      return new SalvagedStream(task, file.assume(lengths), place.localRank());
    }
  }
}
