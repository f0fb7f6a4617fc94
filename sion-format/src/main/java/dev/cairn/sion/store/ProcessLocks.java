package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that this process has locked.
 *
 * <p>POSIX knows locks of processes only, and drops them as soon as the process closes <em>any</em>
 * descriptor of the file. So a descriptor of a locked file that is released earlier is kept here
 * until the holder of the lock is closed. The next open of the same file before that reuses it.
 */
final class ProcessLocks {
  static final ProcessLocks INSTANCE = new ProcessLocks();

  private final Map<Object, LockedFile> lockedByKey = new HashMap<>();

  private ProcessLocks() {}

  private record LockedFile(Descriptor holder, List<Descriptor> idle) {}

  synchronized boolean tryLock(Descriptor descriptor) throws IOException {
    LockedFile locked = lockedByKey.get(descriptor.fileKey());
    if (locked != null) {
      return locked.holder.equals(descriptor);
    }
    if (!lockInSystem(descriptor.channel())) {
      return false;
    }
    lockedByKey.put(descriptor.fileKey(), new LockedFile(descriptor, new ArrayList<>()));
    return true;
  }

  /** Takes an idle descriptor of a file, if this process has locked it and keeps one. */
  synchronized Optional<Descriptor> takeIdle(Object fileKey, Access access) {
    LockedFile locked = lockedByKey.get(fileKey);
    if (locked == null) {
      return Optional.empty();
    }
    Optional<Descriptor> taken =
        locked.idle.stream().filter(descriptor -> descriptor.access() == access).findAny();
    taken.ifPresent(locked.idle::remove);
    return taken;
  }

  /** Closes the descriptor, or keeps it while another one holds the lock on the same file. */
  synchronized void close(Descriptor descriptor) throws IOException {
    LockedFile locked = lockedByKey.get(descriptor.fileKey());
    if (locked == null) {
      descriptor.channel().close();
    } else if (!locked.holder.equals(descriptor)) {
      locked.idle.add(descriptor);
    } else {
      lockedByKey.remove(descriptor.fileKey());
      closeAll(locked);
    }
  }

  private static void closeAll(LockedFile locked) throws IOException {
    try {
      locked.holder.channel().close();
    } finally {
      for (Descriptor descriptor : locked.idle) {
        descriptor.channel().close();
      }
    }
  }

  private static boolean lockInSystem(AsynchronousFileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Other code in this JVM has locked the file without using a BlockStore.
      return false;
    }
  }
}
