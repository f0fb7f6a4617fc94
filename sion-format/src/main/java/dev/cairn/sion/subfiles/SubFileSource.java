package dev.cairn.sion.subfiles;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Striping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** An HDF5 file of which a set of sub-files can be made. Immutable. */
public final class SubFileSource {
  private final Path path;
  private final long size;
  private final Superblock superblock;
  private final ByteBuffer head;

  private SubFileSource(Path path, long size, Superblock superblock, ByteBuffer head) {
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
  public static SubFileSource of(BlockStore store, Path path) throws IOException {
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
                "its superblock has version %d, and only versions 0 and 1 can be striped. Write the"
                    + " file anew with one of them.",
                superblock.version()));
      }
      return new SubFileSource(path, size, superblock, head);
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
   * The striping for which HDF5 wrote the file; empty if it was not written through the sub-filing
   * driver, so that HDF5 has nothing to compare a set with.
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
