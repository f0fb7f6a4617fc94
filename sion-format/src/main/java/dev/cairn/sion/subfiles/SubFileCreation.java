package dev.cairn.sion.subfiles;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.part.NewFiles;
import dev.cairn.sion.stripe.LocalExtent;
import dev.cairn.sion.stripe.RequestSplit;
import dev.cairn.sion.stripe.Selection;
import dev.cairn.sion.stripe.Striping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Makes a set of sub-files, as HDF5's sub-filing driver names and fills them, of one HDF5 file. */
public final class SubFileCreation {
  private final BlockStore store;
  private final SubFileSource source;
  private final Path stub;
  private final Striping striping;

  private SubFileCreation(
      BlockStore store, SubFileSource source, Path directory, Striping striping) {
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
      BlockStore store,
      SubFileSource source,
      Path directory,
      Striping striping,
      LongConsumer copied)
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
        for (LocalExtent extent : RequestSplit.of(striping, Selection.of(next, count))) {
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
}
