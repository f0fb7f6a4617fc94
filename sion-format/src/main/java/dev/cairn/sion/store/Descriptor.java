package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
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

  static Descriptor open(Path path, Access access, Set<? extends OpenOption> options)
      throws IOException {
    AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE);
    try {
      return new Descriptor(channel, fileKeyOf(path), access);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** The file that the name leads to now. */
  static Object fileKeyOf(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      throw new FileSystemException(path.toString(), null, "is a directory, not a file");
    }
    return attributes.fileKey();
  }
}
