package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import dev.cairn.sion.store.checked.Arguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The files of the operating system, which must be a POSIX one: Linux, or another Unix.
 *
 * <p>It has no state and owns nothing; any thread may call it. A heap buffer costs its thread a
 * direct buffer of up to 1 MiB, a direct buffer costs nothing.
 */
public final class FileBlockStore implements BlockStore {

  /** All of them are alike. */
  public FileBlockStore() {}

  @Override
  public BlockFile open(Path file, Access access) throws IOException {
    try {
      BasicFileAttributes present = Descriptor.attributesOf(file);
      Optional<Descriptor> idle = ProcessLocks.INSTANCE.takeIdle(present.fileKey(), access);
      if (idle.isPresent()) {
        return new RealFile(file, idle.get());
      }
      requireSeekable(file, present, access);
      return new RealFile(file, Descriptor.open(file, access, optionsOf(access)));
    } catch (NoSuchFileException missing) {
      throw Files.isSymbolicLink(file) ? leadsNowhere(file, missing) : missing;
    }
  }

  /** The link exists, but its target does not. */
  private static NoSuchFileException leadsNowhere(Path link, NoSuchFileException missing)
      throws IOException {
    Path target = Files.readSymbolicLink(link);
    String reason = "it is a symbolic link to " + target + ", which does not exist";
    NoSuchFileException named = new NoSuchFileException(link.toString(), target.toString(), reason);
    named.initCause(missing);
    return named;
  }

  /** Opening a pipe for reading blocks until it has a writer. */
  private static void requireSeekable(Path file, BasicFileAttributes present, Access access)
      throws IOException {
    if (access == Access.READ && present.isOther()) {
      throw new FileSystemException(
          file.toString(),
          null,
          "it is a pipe or a device: a file is needed, which can be read at any position");
    }
  }

  @Override
  public BlockFile create(Path file) throws IOException {
    return new RealFile(file, Descriptor.create(file));
  }

  @Override
  public boolean exists(Path path) throws IOException {
    try {
      attributesOf(Kind.EXISTS, path);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    List<Path> found = SystemCall.of(Kind.LIST, directory, () -> entriesOf(directory));
    Collections.sort(found);
    return found;
  }

  private static List<Path> entriesOf(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    SystemCall.of(Kind.MAKE_DIRECTORY, directory, () -> Files.createDirectory(directory));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Arguments.requireOneDirectory(from, to);
    if (Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
      throw Arguments.directoryRename(from);
    }
    requireReplaceable(to);
    SystemCall.of(Kind.RENAME, to, () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
  }

  /** A rename would replace a device or a link itself, not what it stands for. */
  private static void requireReplaceable(Path path) throws IOException {
    boolean isReplaceable =
        Files.notExists(path, LinkOption.NOFOLLOW_LINKS)
            || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
            || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    if (!isReplaceable) {
      throw new FileSystemException(
          path.toString(), null, "is a link or a device, and no file is put in its place");
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    SystemCall.of(
        Kind.DELETE,
        path,
        () -> {
          Files.delete(path);
          return path;
        });
  }

  @Override
  public void deleteAll(List<Path> files) throws IOException {
    try {
      files.parallelStream().forEach(FileBlockStore::deleteIfThere);
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }

  private static void deleteIfThere(Path file) {
    try {
      SystemCall.of(Kind.DELETE, file, () -> Files.deleteIfExists(file));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    if (!attributesOf(Kind.FORCE_DIRECTORY, directory).isDirectory()) {
      throw new NotDirectoryException(directory.toString());
    }
    SystemCall.of(Kind.FORCE_DIRECTORY, directory, () -> forced(directory));
  }

  private static Path forced(Path directory) throws IOException {
    // Like Descriptor, and for the same reason: an interrupt closes every other kind of channel.
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(directory, optionsOf(Access.READ), CallerRuns.INSTANCE)) {
      channel.force(true);
    }
    return directory;
  }

  @Override
  public long freeSpace(Path path) throws IOException {
    attributesOf(Kind.FREE_SPACE, path);
    // Not by a FileStore: that reads the table of mounts, and inside some containers finds no mount
    // point.
    return path.toFile().getUsableSpace();
  }

  @Override
  public BlockStore.BlockSize blockSize(Path path) throws IOException {
    return SystemCall.of(Kind.BLOCK_SIZE, path, () -> KnownBlockSizes.of(path));
  }

  @Override
  public OptionalLong fileNumber(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? OptionalLong.of(
            (Long)
                SystemCall.of(Kind.FILE_NUMBER, file, () -> Files.getAttribute(file, "unix:ino")))
        : OptionalLong.empty();
  }

  @Override
  public Path followed(Path path) throws IOException {
    if (!Files.isSymbolicLink(path)) {
      return path;
    }
    try {
      return path.toRealPath();
    } catch (NoSuchFileException missing) {
      throw leadsNowhere(path, missing);
    }
  }

  private static Set<StandardOpenOption> optionsOf(Access access) {
    return switch (access) {
      case READ -> Set.of(StandardOpenOption.READ);
      case READ_WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    };
  }

  private static BasicFileAttributes attributesOf(Kind kind, Path path) throws IOException {
    return SystemCall.of(kind, path, () -> Files.readAttributes(path, BasicFileAttributes.class));
  }

  /** All instances are equal, so ranks with instances of their own can still share open files. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FileBlockStore;
  }

  @Override
  public int hashCode() {
    return FileBlockStore.class.hashCode();
  }
}
