package dev.cairn.sion.append;

import dev.cairn.sion.ChunkWriter;
import dev.cairn.sion.Content;
import dev.cairn.sion.TaskSlot;
import dev.cairn.sion.TaskUsage;
import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.FileSource;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A closed multifile that is about to be appended to: the length of each task's stream, and where
 * it continues. Immutable; any thread may share one.
 *
 * <p>Tasks of several processes append like this: one task calls {@link #read} and sends each task
 * its {@link TaskSlot.AppendSlot}; each writes through {@link ChunkWriter#resume} and forces its
 * physical file; one task gathers all {@link TaskUsage}s and calls {@link #finish}. To append from
 * one program use {@link MultifileAppender}.
 */
public final class AppendLayout {
  private final Content content;
  private final AppendFile[] files;
  private final MappingTable places;

  private AppendLayout(Content content, AppendFile[] files, MappingTable places) {
    this.content = content;
    this.files = files;
    this.places = places;
  }

  /**
   * Prepares to append to a closed multifile. Every task continues at the end of its stream.
   * Readers see the old multifile until {@link #finish} makes the appended bytes visible. Bytes of
   * an append that was never finished are cut off. To be called once, by one task; no other program
   * may write the multifile meanwhile.
   *
   * @throws IllegalArgumentException if the multifile has buddies, which would become stale
   */
  public static AppendLayout read(BlockStore store, Path path) throws IOException {
    requireNoBuddies(store, path);
    try (FileSet set = FileSet.open(FileSource.in(store), path)) {
      set.openAll();
      AppendLayout layout = of(set);
      layout.cutLeftovers(store);
      return layout;
    }
  }

  private static AppendLayout of(FileSet set) throws IOException {
    PhysicalFile first = set.first();
    boolean records = first.holdsRecords();
    MappingTable places = set.places();
    AppendFile[] files = new AppendFile[set.fileCount()];
    for (int fileNumber = 0; fileNumber < files.length; fileNumber++) {
      boolean holdsMapping = fileNumber == 0 && set.isMapped();
      files[fileNumber] =
          AppendFile.of(
              set.file(fileNumber), holdsMapping ? Optional.of(places) : Optional.empty());
    }
    return new AppendLayout(records ? Content.RECORDS : Content.BYTES, files, places);
  }

  /** The copies of a buddy multifile would silently lack the appended bytes. */
  private static void requireNoBuddies(BlockStore store, Path path) throws IOException {
    String name = path.getFileName().toString();
    Path parent = path.getParent();
    for (Path file : store.list(parent == null ? Path.of("") : parent)) {
      String other = file.getFileName().toString();
      OptionalInt number = FileNames.number(name, other);
      if (number.isEmpty() && FileNames.isOfSet(name, other)) {
        throw new IllegalArgumentException(
            String.format(
                "%s: its buddy %s would not get what is appended: delete the buddies first.",
                path, file));
      }
    }
  }

  /** Bytes behind the end, which an append that was never closed has left. */
  private void cutLeftovers(BlockStore store) throws IOException {
    for (AppendFile each : files) {
      try (BlockFile file = store.open(each.path(), Access.READ_WRITE)) {
        if (file.size() > each.metaTwoEnd()) {
          file.resize(each.metaTwoEnd());
        }
      }
    }
  }

  /**
   * Closes the multifile that was appended to. Each physical file changes from what it was to what
   * it is in one step: at any moment, also after a crash, its tasks are all as before or all as
   * appended. Files change one after the other, file 0 last; those in which nothing was appended
   * stay untouched. To be called once, by one task, when all tasks have written and forced.
   *
   * @param usages what each task has written from its very beginning, by task number
   */
  public void finish(BlockStore store, List<TaskUsage> usages) throws IOException {
    new AppendClosing(store, this, usages).run();
  }

  /** What the streams hold. */
  public Content content() {
    return content;
  }

  public int taskCount() {
    return places.taskCount();
  }

  public int fileCount() {
    return files.length;
  }

  /** The path of a physical file. */
  public Path file(int fileNumber) {
    return files[fileNumber].path();
  }

  /** What one task needs to continue. */
  public TaskSlot.AppendSlot slot(int task) {
    int fileNumber = places.file(task);
    return files[fileNumber].slot(task, fileNumber, places.localRank(task));
  }

  /** What a task has written so far, which is its usage if it appends nothing. */
  public TaskUsage usage(int task) {
    return files[places.file(task)].usage(places.localRank(task));
  }

  AppendFile appendFile(int fileNumber) {
    return files[fileNumber];
  }

  MappingTable places() {
    return places;
  }
}
