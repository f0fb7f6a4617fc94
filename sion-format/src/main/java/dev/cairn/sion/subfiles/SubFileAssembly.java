package dev.cairn.sion.subfiles;

import dev.cairn.sion.file.NewFiles;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/** Makes one ordinary HDF5 file of a set of sub-files. */
public final class SubFileAssembly {
  /** How many times the bytes that are there a file may have, if all sub-files are cut. */
  private static final long MOST_CUT = 1024;

  private SubFileAssembly() {}

  /**
   * Copies the bytes of a set into a new file. The file gets its name when all of it is written and
   * durable; a failure leaves none. Holes of the set read as zeros in it, so the caller has to tell
   * where they are: {@link SubFileSet#holes}.
   *
   * @param file the new file
   * @param copied called with the number of bytes copied since the last call
   * @throws java.nio.file.FileAlreadyExistsException if a file of this name is there, or an
   *     unfinished one; nothing is overwritten
   * @throws SubFileException if the length of the logical file is not credible
   */
  public static void run(SubFileSet set, BlockStore store, Path file, LongConsumer copied)
      throws IOException {
    requireCredibleSize(set);
    Location.requireDirectory(store, file);
    try (NewFiles files = new NewFiles(store)) {
      try (BlockFile target = files.create(file)) {
        copy(set, target, copied);
        target.force();
      }
      files.reveal(file);
      files.forceDirectory(Location.directoryOf(file));
      files.keep();
    }
  }

  /**
   * Refuses a length that no sub-file confirms and that is far beyond all bytes. However many
   * sub-files of a set are missing, the others have the bytes that follow from its length.
   */
  private static void requireCredibleSize(SubFileSet set) throws SubFileException {
    List<SubFileSet.SubFile> present =
        set.subFiles().stream().filter(file -> !file.isMissing()).toList();
    boolean isConfirmed =
        present.isEmpty()
            || present.stream().anyMatch(file -> file.availableSize() == file.expectedSize());
    if (!isConfirmed && set.reached() < set.size() / MOST_CUT) {
      throw new SubFileException(
          set.path(),
          String.format(
              "the superblock says that the HDF5 file has %d bytes, but every sub-file that is"
                  + " there ends too early, and the last byte is at %d: the length is damaged. Use"
                  + " another copy of the set.",
              set.size(), set.reached() - 1));
    }
  }

  private static void copy(SubFileSet set, BlockFile target, LongConsumer copied)
      throws IOException {
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(StripeBuffer.WINDOW_SIZE, set.size()));
    long next = 0;
    // The last hole may reach far behind the bytes of the set; nothing is copied there.
    for (Extent hole : set.holes()) {
      copyRange(set, target, next, hole.offset(), window, copied);
      next = hole.end();
    }
    copyRange(set, target, next, set.size(), window, copied);
    target.resize(set.size());
  }

  private static void copyRange(
      SubFileSet set, BlockFile target, long from, long to, ByteBuffer window, LongConsumer copied)
      throws IOException {
    for (long next = from; next < to; ) {
      window.clear().limit((int) Math.min(window.capacity(), to - next));
      set.readFully(next, window);
      int count = window.flip().remaining();
      target.write(next, window);
      copied.accept(count);
      next += count;
    }
  }
}
