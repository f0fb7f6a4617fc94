package dev.cairn.sion.store;

import java.util.Map;
import java.util.Optional;

/**
 * Chooses the unit of I/O for a file system.
 *
 * <p>Local file systems report it. The JDK queries the unit of <em>allocation</em>, though. A
 * parallel or network file system may report a few KiB, while its clients transfer and lock
 * megabytes; for these a table by type takes precedence. The default is 2 MiB, as in SIONlib.
 */
final class PreferredBlockSize {
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;
  private static final int DEFAULT_BYTES = 2 * MIB;
  private static final long LARGEST_CREDIBLE_BYTES = 32L * MIB;

  /** The usual stripe, block, chunk, object or transfer size of each type. */
  private static final Map<String, Integer> BYTES_BY_TYPE =
      Map.ofEntries(
          Map.entry("lustre", 4 * MIB),
          Map.entry("gpfs", 4 * MIB),
          Map.entry("beegfs", 512 * KIB),
          Map.entry("ceph", 4 * MIB),
          Map.entry("panfs", 2 * MIB),
          Map.entry("nfs", MIB),
          Map.entry("nfs4", MIB),
          Map.entry("cifs", MIB),
          Map.entry("smb3", MIB));

  private PreferredBlockSize() {}

  static BlockStore.BlockSize choose(String fileSystemType, long reportedBytes) {
    Optional<Integer> tableBytes = tableBytes(fileSystemType);
    if (tableBytes.isPresent()) {
      return new BlockStore.BlockSize(tableBytes.get(), "the table for " + fileSystemType);
    }
    if (reportedBytes > 0 && reportedBytes <= LARGEST_CREDIBLE_BYTES) {
      return new BlockStore.BlockSize((int) reportedBytes, "the file system");
    }
    return new BlockStore.BlockSize(
        DEFAULT_BYTES,
        String.format("the default, because %s reports %d bytes", fileSystemType, reportedBytes));
  }

  private static Optional<Integer> tableBytes(String fileSystemType) {
    // The file system behind FUSE is unknown, and usually remote.
    return fileSystemType.startsWith("fuse.")
        ? Optional.of(DEFAULT_BYTES)
        : Optional.ofNullable(BYTES_BY_TYPE.get(fileSystemType));
  }
}
