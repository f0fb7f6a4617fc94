package dev.cairn.sion.subfiles;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.NewFiles;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.LocalExtent;
import dev.cairn.sion.stripe.Selection;
import dev.cairn.sion.stripe.Striping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Makes a set of sub-files, as HDF5's sub-filing driver names and fills them, of one HDF5 file. */
public final class SubFileCreation {
  private final BlockStore store;
  private final Source source;
  private final Path stub;
  private final Striping striping;

  private SubFileCreation(BlockStore store, Source source, Path directory, Striping striping) {
    this.store = store;
    this.source = source;
    this.stub = directory.resolve(source.path().getFileName());
    this.striping = striping;
  }

  /**
   * Stripes an HDF5 file into a new set in {@code directory}; the stub gets the name of the file.
   * The configuration gets its name when all sub-files are durable, and the stub, without which
   * HDF5 sees no set, last. A failure leaves no file.
   *
   * @param source the HDF5 file
   * @param striping how to deal its bytes
   * @param copied called with the number of bytes copied since the last call
   * @return the configuration of the set
   * @throws java.nio.file.FileAlreadyExistsException if a file of one of the names is there;
   *     nothing is overwritten
   * @throws SubFileException if HDF5 wrote the file for another striping
   */
  public static Path run(
      BlockStore store, Source source, Path directory, Striping striping, LongConsumer copied)
      throws IOException {
    source.requireFits(striping);
    return new SubFileCreation(store, source, directory, striping).run(copied);
  }

  private Path run(LongConsumer copied) throws IOException {
    Location.requireDirectory(store, stub);
    Leftovers.requireNone(store, stub);
    try (NewFiles files = new NewFiles(store)) {
      try (BlockFile file = files.create(stub)) {
        file.write(0, source.superblock());
        file.force();
      }
      SubFileNames names = names(files);
      Path config = stub.resolveSibling(names.configuration());
      // Created before the sub-files, so that of two programs one is refused before it writes them.
      BlockFile configFile = files.create(config);
      try (configFile) {
        writeSubFiles(files, names, copied);
        configFile.write(0, configuration(names));
        configFile.force();
      }
      reveal(files, names, config);
      return config;
    }
  }

  private SubFileNames names(NewFiles files) throws IOException {
    return SubFileNames.of(
        stub.getFileName().toString(),
        files
            .fileNumber(stub)
            .orElseThrow(
                () ->
                    new SubFileException(
                        stub,
                        "this file system gives files no inode, of which the names of sub-files are"
                            + " made. Choose a directory of another one.")));
  }

  private List<Path> subFiles(SubFileNames names) {
    return names.subFiles(striping.subFileCount()).stream().map(stub::resolveSibling).toList();
  }

  private void writeSubFiles(NewFiles files, SubFileNames names, LongConsumer copied)
      throws IOException {
    List<BlockFile> open = new ArrayList<>();
    try {
      for (Path subFile : subFiles(names)) {
        open.add(files.create(subFile));
      }
      deal(open, copied);
      for (BlockFile file : open) {
        file.force();
      }
    } finally {
      CloseAll.close(open);
    }
  }

  private void deal(List<BlockFile> targets, LongConsumer copied) throws IOException {
    ByteBuffer window =
        ByteBuffer.allocate((int) Math.min(StripeBuffer.WINDOW_SIZE, source.size()));
    try (BlockFile file = store.open(source.path(), Access.READ)) {
      for (long next = 0; next < source.size(); ) {
        window.clear().limit((int) Math.min(window.capacity(), source.size() - next));
        file.readFully(next, window);
        int count = window.flip().remaining();
        for (LocalExtent extent : LocalExtent.of(striping, Selection.of(next, count))) {
          StripeBuffer.write(targets.get(extent.subFile()), extent, window);
        }
        copied.accept(count);
        next += count;
      }
    }
  }

  private ByteBuffer configuration(SubFileNames names) {
    Path absolute = stub.toAbsolutePath().normalize();
    SubFileConfig config =
        new SubFileConfig(
            striping.depth(),
            striping.subFileCount(),
            absolute.toString(),
            Location.directoryOf(absolute).toString(),
            names.subFiles(striping.subFileCount()));
    return ByteBuffer.wrap(config.text().getBytes(StandardCharsets.UTF_8));
  }

  private void reveal(NewFiles files, SubFileNames names, Path config) throws IOException {
    Path directory = Location.directoryOf(stub);
    for (Path subFile : subFiles(names)) {
      files.reveal(subFile);
    }
    files.forceDirectory(directory);
    files.reveal(config);
    files.forceDirectory(directory);
    files.reveal(stub);
    files.forceDirectory(directory);
    files.keep();
  }

  /** An HDF5 file of which a set of sub-files can be made. Immutable. */
  public static final class Source {
    private final Path path;
    private final long size;
    private final Superblock superblock;
    private final ByteBuffer head;

    private Source(Path path, long size, Superblock superblock, ByteBuffer head) {
      this.path = path;
      this.size = size;
      this.superblock = superblock;
      this.head = head;
    }

    /**
     * Looks at an HDF5 file.
     *
     * @throws SubFileException if it is none, is cut, or has a superblock of which the stub is not
     *     known
     */
    public static Source of(BlockStore store, Path path) throws IOException {
      try (BlockFile file = store.open(path, Access.READ)) {
        long size = file.size();
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(Superblock.LARGEST_SIZE, size));
        file.readFully(0, head);
        Superblock superblock = Superblock.read(path, head.flip());
        if (superblock.endOfFile() != size) {
          throw new SubFileException(
              path,
              String.format(
                  "its superblock says that it has %d bytes, but it has %d. It was cut or never"
                      + " closed: use another copy.",
                  superblock.endOfFile(), size));
        }
        if (superblock.version() > Superblock.LAST_WITH_DRIVER_BLOCK) {
          throw new SubFileException(
              path,
              String.format(
                  "its superblock has version %d, and only versions 0 and 1 can be striped. Write"
                      + " the file anew with one of them.",
                  superblock.version()));
        }
        return new Source(path, size, superblock, head);
      }
    }

    /** The file. */
    public Path path() {
      return path;
    }

    /** Its bytes. */
    public long size() {
      return size;
    }

    /**
     * The striping for which HDF5 wrote the file; empty if it was not written through the
     * sub-filing driver, so that HDF5 has nothing to compare a set with.
     *
     * @throws SubFileException if the file names a striping that does not exist
     */
    public Optional<Striping> striping() throws SubFileException {
      if (superblock.driver().isEmpty()) {
        return Optional.empty();
      }
      DriverMessage message = superblock.driver().get();
      try {
        int count = Math.toIntExact(message.subFileCount());
        return Optional.of(Striping.of(message.stripeSize(), count));
      } catch (ArithmeticException | IllegalArgumentException impossible) {
        throw new SubFileException(
            path,
            String.format(
                "its superblock names %d sub-files with stripes of %d bytes, which cannot be. Use"
                    + " another copy.",
                message.subFileCount(), message.stripeSize()));
      }
    }

    void requireFits(Striping striping) throws SubFileException {
      Optional<Striping> written = striping();
      if (written.isPresent()
          && (written.get().depth() != striping.depth()
              || written.get().subFileCount() != striping.subFileCount())) {
        throw new SubFileException(
            path,
            String.format(
                "HDF5 wrote it for %d sub-files with stripes of %d bytes and opens no other set of"
                    + " it, but %d with %d are wanted. Leave the choice to the file.",
                written.get().subFileCount(),
                written.get().depth(),
                striping.subFileCount(),
                striping.depth()));
      }
    }

    /** The bytes of which the stub consists. */
    ByteBuffer superblock() {
      return head.slice(0, superblock.size());
    }
  }
}
