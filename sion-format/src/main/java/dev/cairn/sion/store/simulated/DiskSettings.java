package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.BlockStore;
import java.util.Objects;

/**
 * What a {@link SimulatedDisk} is like.
 *
 * @param blockSizeBytes the answer to {@link BlockStore#blockSize}
 * @param capacityBytes how much fits, in whole pages of 4096 bytes; names cost nothing
 * @param lockReach the handles that a lock excludes
 */
public record DiskSettings(int blockSizeBytes, long capacityBytes, LockReach lockReach) {
  /** Pages of 4096 bytes, 1 PiB, locks that reach all hosts. */
  public static final DiskSettings DEFAULT = new DiskSettings(4096, 1L << 50, LockReach.ALL_HOSTS);

  public DiskSettings {
    if (blockSizeBytes < 1) {
      throw new IllegalArgumentException("a block size is at least 1 byte, not " + blockSizeBytes);
    }
    if (capacityBytes < 0) {
      throw new IllegalArgumentException("a capacity is at least 0, not " + capacityBytes);
    }
    Objects.requireNonNull(lockReach, "lockReach");
  }

  public DiskSettings withBlockSize(int bytes) {
    return new DiskSettings(bytes, capacityBytes, lockReach);
  }

  public DiskSettings withCapacity(long bytes) {
    return new DiskSettings(blockSizeBytes, bytes, lockReach);
  }

  public DiskSettings withLockReach(LockReach reach) {
    return new DiskSettings(blockSizeBytes, capacityBytes, reach);
  }

  /** The handles that a file lock excludes on a file system that several hosts share. */
  public enum LockReach {
    /** Every other handle on any host. */
    ALL_HOSTS,

    /**
     * Other handles on the same host only, as on a parallel file system mounted with local locks.
     */
    ONE_HOST;

    /** Two handles exclude each other when their hosts have the same domain. */
    String domainOf(String host) {
      return this == ALL_HOSTS ? "" : host;
    }
  }
}
