package dev.cairn.sion.subfiles;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Striping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks at all files of a set and finds out what it is, what is missing and what is unusual. */
final class Survey {
  private final BlockStore store;
  private final Path path;
  private final SubFileConfig config;
  private final Striping striping;
  private final Location location;
  private final List<Path> paths;
  private final List<SubFileException> defects = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private Survey(BlockStore store, Path path, SubFileConfig config) throws IOException {
    this.store = store;
    this.path = path;
    this.config = config;
    this.striping = config.striping();
    this.location = Location.of(store, path, config);
    this.paths = location.subFiles(config.subFileCount());
    notes.addAll(location.notes());
  }

  /**
   * What a set consists of.
   *
   * @param size the length of the logical file
   * @param defects what is missing or does not fit
   * @param notes sentences about what is unusual, but changes no byte
   */
  record Findings(
      SubFileConfig config,
      Striping striping,
      long size,
      List<SubFileSet.SubFile> subFiles,
      List<SubFileException> defects,
      List<String> notes) {}

  /**
   * Looks at the set of a configuration.
   *
   * @throws SubFileException if the configuration is damaged or contradicts the HDF5 file
   */
  static Findings of(BlockStore store, Path path) throws IOException {
    return new Survey(store, path, SubFileConfig.read(store, path)).run();
  }

  private Findings run() throws IOException {
    List<OptionalLong> sizes = new ArrayList<>();
    for (Path subFile : paths) {
      sizes.add(sizeOf(subFile));
    }
    addMissing(sizes);
    Optional<Superblock> superblock = superblock(sizes);
    if (superblock.isPresent()) {
      requireSameStriping(superblock.get());
    }
    long size = superblock.isPresent() ? superblock.get().endOfFile() : reachedBy(sizes);
    List<SubFileSet.SubFile> subFiles = subFiles(sizes, size);
    addLengths(subFiles);
    return new Findings(config, striping, size, subFiles, List.copyOf(defects), List.copyOf(notes));
  }

  private List<SubFileSet.SubFile> subFiles(List<OptionalLong> sizes, long size) {
    List<SubFileSet.SubFile> subFiles = new ArrayList<>();
    for (int number = 0; number < paths.size(); number++) {
      long expected = striping.lengthOf(number, size);
      subFiles.add(new SubFileSet.SubFile(number, paths.get(number), expected, sizes.get(number)));
    }
    return List.copyOf(subFiles);
  }

  private OptionalLong sizeOf(Path file) throws IOException {
    try (BlockFile open = store.open(file, Access.READ)) {
      return OptionalLong.of(open.size());
    } catch (NoSuchFileException missing) {
      return OptionalLong.empty();
    }
  }

  private long reachedBy(List<OptionalLong> sizes) throws SubFileException {
    try {
      return striping.logicalLength(sizes.stream().mapToLong(size -> size.orElse(0)).toArray());
    } catch (ArithmeticException tooLong) {
      throw new SubFileException(
          path, "its sub-files are too long to be parts of one file. Use another copy of the set.");
    }
  }

  /**
   * The superblock of the sub-files, with which that of the stub is compared, or else the stub's.
   */
  private Optional<Superblock> superblock(List<OptionalLong> sizes) throws IOException {
    ByteBuffer head = headOfSet(sizes);
    Optional<Path> stub = stub();
    Optional<Superblock> own =
        head.hasRemaining() ? readSuperblock(paths.get(0), head) : Optional.empty();
    if (stub.isEmpty()) {
      return own;
    }
    ByteBuffer stubHead = headOf(stub.get());
    Optional<Superblock> stubs = readSuperblock(stub.get(), stubHead);
    if (own.isPresent() && stubs.isPresent()) {
      compare(stub.get(), stubHead, head, own.get().size());
    }
    return own.or(() -> stubs);
  }

  private Optional<Superblock> readSuperblock(Path file, ByteBuffer head) {
    try {
      return Optional.of(Superblock.read(file, head));
    } catch (SubFileException damaged) {
      defects.add(damaged);
      return Optional.empty();
    }
  }

  private void compare(Path stub, ByteBuffer stubHead, ByteBuffer head, int size) {
    boolean isSame =
        stubHead.remaining() >= size && stubHead.slice(0, size).equals(head.slice(0, size));
    if (!isSame) {
      defects.add(
          new SubFileException(
              stub,
              String.format(
                  "its superblock should be that of %s, but differs. It is the stub of another set,"
                      + " or the set was never closed: use another copy.",
                  paths.get(0))));
    }
  }

  private Optional<Path> stub() throws IOException {
    Optional<Path> stub = location.stub(store, path, config);
    if (stub.isEmpty()) {
      notes.add(
          String.format(
              "%s: the stub is not there, without which HDF5 cannot open the set; its bytes are in"
                  + " the sub-files, too.",
              Location.directoryOf(path).resolve(location.names().stub())));
    } else if (!location.hasInode(store, stub.get())) {
      notes.add(
          String.format(
              "%s: the set was copied or restored: the stub's inode is %s, the names say %s, and"
                  + " HDF5 cannot open it.",
              stub.get(), inode(stub.get()), location.names().inode()));
    }
    return stub;
  }

  private String inode(Path stub) throws IOException {
    OptionalLong number = store.fileNumber(stub);
    return number.isPresent() ? Long.toUnsignedString(number.getAsLong()) : "unknown";
  }

  /** The first bytes of the logical file, up to the first one that is not there. */
  private ByteBuffer headOfSet(List<OptionalLong> sizes) throws IOException {
    long[] available = sizes.stream().mapToLong(size -> size.orElse(0)).toArray();
    ByteBuffer head = ByteBuffer.allocate(Superblock.LARGEST_SIZE);
    while (head.hasRemaining()) {
      int subFile = striping.subFileOf(head.position());
      long local = striping.localOf(head.position());
      long count =
          Math.min(
              Math.min(head.remaining(), striping.depth() - local % striping.depth()),
              available[subFile] - local);
      if (count <= 0) {
        break;
      }
      ByteBuffer run = head.slice(head.position(), (int) count);
      try (BlockFile file = store.open(paths.get(subFile), Access.READ)) {
        file.readFully(local, run);
      }
      head.position(head.position() + (int) count);
    }
    return head.flip();
  }

  private ByteBuffer headOf(Path stub) throws IOException {
    try (BlockFile file = store.open(stub, Access.READ)) {
      ByteBuffer head = ByteBuffer.allocate((int) Math.min(Superblock.LARGEST_SIZE, file.size()));
      file.readFully(0, head);
      return head.flip();
    }
  }

  /** With another striping every byte would be in the wrong place, so nothing can be read. */
  private void requireSameStriping(Superblock superblock) throws SubFileException {
    Optional<DriverMessage> message = superblock.driver();
    if (message.isEmpty()) {
      notes.add(
          path + ": the HDF5 file has no message of the sub-filing driver to compare it with.");
      return;
    }
    long stripeSize = message.get().stripeSize();
    long count = message.get().subFileCount();
    if (stripeSize != config.stripeSize() || count != config.subFileCount()) {
      throw new SubFileException(
          path,
          String.format(
              "%d sub-files with stripes of %d bytes are listed, but the HDF5 file was written with"
                  + " %d and %d: the configuration is damaged or of another set. Use the right"
                  + " one.",
              config.subFileCount(), config.stripeSize(), count, stripeSize));
    }
  }

  /** Found first, since without a sub-file the superblock may not be whole, either. */
  private void addMissing(List<OptionalLong> sizes) throws IOException {
    for (int number = 0; number < sizes.size(); number++) {
      if (sizes.get(number).isEmpty()) {
        defects.add(
            new SubFileException(paths.get(number), "this sub-file is missing. " + remedy(number)));
      }
    }
  }

  /** A sub-file that was renamed often still has the end of its name. */
  private String remedy(int number) throws IOException {
    String ending = SubFileNames.ending(number + 1, paths.size());
    for (Path other : store.list(location.directory())) {
      if (other.toString().endsWith(ending)) {
        return "Bring it back; if " + other.getFileName() + " is it, rename that file.";
      }
    }
    return "Bring it back.";
  }

  private void addLengths(List<SubFileSet.SubFile> subFiles) {
    for (SubFileSet.SubFile subFile : subFiles) {
      if (!subFile.isMissing() && !subFile.isWhole()) {
        defects.add(wrongLength(subFile));
      }
    }
  }

  private static SubFileException wrongLength(SubFileSet.SubFile subFile) {
    long size = subFile.size().getAsLong();
    String meaning =
        size < subFile.expectedSize()
            ? "It was cut, or the set was never closed"
            : "It is of another set, or the set was never closed";
    return new SubFileException(
        subFile.path(),
        String.format(
            "this sub-file should have %d bytes, but has %d. %s: use another copy.",
            subFile.expectedSize(), size, meaning));
  }
}
