package dev.cairn.sion;

import dev.cairn.sion.BuddyView.Replacement;
import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.FileSource;
import dev.cairn.sion.file.MemberCheck;
import dev.cairn.sion.file.Numbering;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Looks for a good file for each physical file of a multifile: the original, or the copy of the
 * lowest level. Tasks are identified by their global ranks, which original and copy share. The
 * mapping would be that of one set only.
 */
final class BuddySearch {
  private final BlockStore store;
  private final Path path;
  private final List<PhysicalFile> files = new ArrayList<>();
  private final List<Replacement> replacements = new ArrayList<>();

  BuddySearch(BlockStore store, Path path) {
    this.store = store;
    this.path = path;
  }

  BuddyView run() throws IOException {
    try {
      PhysicalFile first = choose(0);
      while (files.size() < first.header().fileCount()) {
        choose(files.size());
      }
      return new BuddyView(
          GlobalView.of(FileSet.of(FileSource.in(store), files, mapping())), replacements);
    } catch (IOException | RuntimeException failure) {
      CloseAll.close(files);
      throw failure;
    }
  }

  private PhysicalFile choose(int fileNumber) throws IOException {
    PhysicalFile chosen;
    try {
      chosen = open(fileNumber, FileNames.physical(path, fileNumber));
    } catch (IOException trouble) {
      chosen = copy(fileNumber, trouble);
    }
    files.add(chosen);
    return chosen;
  }

  /** Tries the copies level by level, up to the first level without any file. */
  private PhysicalFile copy(int fileNumber, IOException trouble) throws IOException {
    for (int level = 0; ; level++) {
      Path copy = FileNames.physical(FileNames.buddy(path, level), fileNumber);
      try {
        PhysicalFile found = open(fileNumber, copy);
        replacements.add(new Replacement(fileNumber, copy, trouble));
        return found;
      } catch (NoSuchFileException noMore) {
        if (!levelExists(level)) {
          throw trouble;
        }
        trouble.addSuppressed(noMore);
      } catch (SionException damaged) {
        trouble.addSuppressed(damaged);
      }
    }
  }

  /** Whether a level was written, although one of its copies may be lost. */
  private boolean levelExists(int level) throws IOException {
    String name = FileNames.buddy(path, level).getFileName().toString();
    Path parent = path.getParent();
    return store.list(parent == null ? Path.of("") : parent).stream()
        .anyMatch(file -> file.getFileName().toString().startsWith(name));
  }

  private PhysicalFile open(int fileNumber, Path file) throws IOException {
    PhysicalFile opened = PhysicalFile.open(FileSource.in(store), file);
    try {
      if (fileNumber > 0) {
        MemberCheck.require(files.get(0).head(), opened.head(), fileNumber);
      }
      return opened;
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, opened);
      throw failure;
    }
  }

  private MappingTable mapping() throws IOException {
    Optional<Numbering.Place> wrong = numbering().misnumbered();
    if (wrong.isPresent()) {
      replaceOne(misnumbered(wrong.get()));
    }
    return numbering().byGlobalRank().orElseThrow();
  }

  /** Replaces the one original whose global ranks contradict those of all others by its copy. */
  private void replaceOne(SionException trouble) throws IOException {
    for (int suspect = 0; suspect < files.size(); suspect++) {
      try {
        if (fitsWithCopyOf(suspect)) {
          return;
        }
      } catch (IOException noCopy) {
        trouble.addSuppressed(noCopy);
      }
    }
    throw trouble;
  }

  private boolean fitsWithCopyOf(int suspect) throws IOException {
    Numbering.Place place = numbering().misnumberedWithLast(suspect).orElseThrow();
    if (place.fileNumber() != suspect || isReplaced(suspect)) {
      return false;
    }
    PhysicalFile original = files.get(suspect);
    files.set(suspect, copy(suspect, misnumbered(place)));
    if (numbering().byGlobalRank().isPresent()) {
      original.close();
      return true;
    }
    files.set(suspect, original).close();
    replacements.remove(replacements.size() - 1);
    return false;
  }

  private boolean isReplaced(int fileNumber) {
    return replacements.stream().anyMatch(it -> it.fileNumber() == fileNumber);
  }

  private Numbering numbering() {
    SortedMap<Integer, FileHead> heads = new TreeMap<>();
    for (int fileNumber = 0; fileNumber < files.size(); fileNumber++) {
      heads.put(fileNumber, files.get(fileNumber).head());
    }
    return new Numbering(heads);
  }

  private SionException misnumbered(Numbering.Place place) {
    PhysicalFile file = files.get(place.fileNumber());
    return new SionException.Corrupt(
        file.path(),
        taskPartOffset(file.head()) + (long) Long.BYTES * place.localRank(),
        "global rank of local rank " + place.localRank(),
        String.format("below %d, and no other task's", numbering().taskCount()),
        Long.toString(file.head().columns().globalRank(place.localRank())));
  }

  private static long taskPartOffset(FileHead head) {
    return head.tailOffset() - MetaOne.taskPartSize(head.taskCount());
  }
}
