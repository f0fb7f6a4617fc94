package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * One open descriptor of the operating system.
 *
 * <p>The channel is an asynchronous one, because that is the JDK's only file channel which an
 * interrupt does not close. Its operations run in the calling thread.
 *
 * @param channel the descriptor; the owner closes it through {@link ProcessLocks}
 * @param fileKey which file it is, whatever its name: device and inode
 * @param access what it was opened for
 */
record Descriptor(AsynchronousFileChannel channel, Object fileKey, Access access) {

  private static final Set<StandardOpenOption> NEW_FILE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private interface KeyLookup {
    Object fileKeyOf(Path path) throws IOException;
  }

  static Descriptor open(Path path, Access access, Set<? extends OpenOption> options)
      throws IOException {
    return open(Kind.OPEN, path, access, options, Descriptor::fileKeyOf);
  }

  static Descriptor create(Path path) throws IOException {
    return open(Kind.CREATE, path, Access.READ_WRITE, NEW_FILE, Descriptor::newFileKeyOf);
  }

  private static Descriptor open(
      Kind kind, Path path, Access access, Set<? extends OpenOption> options, KeyLookup lookup)
      throws IOException {
    AsynchronousFileChannel channel =
        SystemCall.of(
            kind, path, () -> AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE));
    try {
      return new Descriptor(channel, lookup.fileKeyOf(path), access);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Another program may have deleted the new file already; then no name leads to it. */
  private static Object newFileKeyOf(Path path) throws IOException {
    try {
      return fileKeyOf(path);
    } catch (NoSuchFileException deleted) {
      return new Object();
    }
  }

  private static Object fileKeyOf(Path path) throws IOException {
    return attributesOf(path).fileKey();
  }

  /** Those of the file that the name leads to now. */
  static BasicFileAttributes attributesOf(Path path) throws IOException {
    BasicFileAttributes attributes =
        SystemCall.of(Kind.OPEN, path, () -> Files.readAttributes(path, BasicFileAttributes.class));
    if (attributes.isDirectory()) {
      throw new FileSystemException(path.toString(), null, "is a directory, not a file");
    }
    return attributes;
  }
}
