package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.DiskException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The content and the locks of a file of a {@link SimulatedDisk}; its names are in directories. */
final class SimulatedFile implements SimulatedNode {
  private final History<SparseBytes> history;
  private final Map<String, SimulatedHandle> holderByLockDomain = new HashMap<>();

  private final long number;

  SimulatedFile(long number, SparseBytes content, Collection<History<?>> unsyncedOnDisk) {
    this.number = number;
    history = new History<>(content, unsyncedOnDisk);
  }

  private static final class Write implements History.Change<SparseBytes> {
    private final long position;
    private final byte[] bytes;

    Write(long position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }

    @Override
    public void applyTo(SparseBytes content) {
      content.write(position, bytes, 0, bytes.length);
    }

    @Override
    public void applyPart(SparseBytes content, CrashOutcome.Tear tear) {
      // A full disk may have shortened the write before the crash.
      int from = Math.min(tear.keptFrom(), bytes.length);
      int to = Math.min(tear.keptTo(), bytes.length);
      content.write(position + from, bytes, from, to);
    }
  }

  /** The file's own number on its disk, also after a crash. */
  long number() {
    return number;
  }

  long size() {
    return history.live().size();
  }

  long pageCount() {
    return history.live().pageCount();
  }

  int read(long position, ByteBuffer target) {
    return history.live().read(position, target);
  }

  void write(
      SimulatedDisk.HostOperation operation, long position, ByteBuffer source, DiskSpace space)
      throws DiskException {
    byte[] bytes = new byte[space.fitting(history.live(), position, source.remaining())];
    source.get(bytes);
    long pagesBefore = pageCount();
    history.record(operation, new Write(position, bytes));
    space.use(pageCount() - pagesBefore);
    if (source.hasRemaining()) {
      Path path = operation.operation().path();
      throw DiskException.noRoom(path, source.remaining(), space.freeBytes());
    }
  }

  void resize(SimulatedDisk.HostOperation operation, long size) {
    history.record(operation, content -> content.resize(size));
  }

  @Override
  public void force(String host) {
    history.force(host);
  }

  boolean tryLock(String domain, SimulatedHandle handle) {
    SimulatedHandle holder = holderByLockDomain.putIfAbsent(domain, handle);
    return holder == null || holder == handle;
  }

  void unlock(SimulatedHandle handle) {
    holderByLockDomain.values().remove(handle);
  }

  SparseBytes contentAfter(CrashOutcome outcome) {
    return history.replayed(outcome);
  }
}
