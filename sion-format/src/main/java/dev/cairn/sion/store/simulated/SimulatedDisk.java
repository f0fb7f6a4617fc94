package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A file system in memory that several simulated hosts share, and that loses at a crash what a real
 * one may lose.
 *
 * <p>All hosts see every change at once. What survives a crash is another matter: bytes and sizes
 * that their host has forced through the file, and names that their host has forced through the
 * directory. It is strict: a forced file whose name was not forced is gone, and so is all that lies
 * in a directory whose own name, in its parent, was not forced.
 *
 * <p>To test a program, run it until it crashes, and check every state that the crash may leave:
 *
 * <pre>{@code
 * SimulatedDisk disk = new SimulatedDisk();
 * disk.crashAt(17);
 * assertThrows(SimulatedCrashException.class, () -> program(disk.host("node0")));
 * for (CrashOutcome outcome : disk.crashOutcomes()) {
 *   verify(disk.afterCrash(outcome).host("node0"));
 * }
 * }</pre>
 *
 * <p>It holds its bytes on the heap and needs no closing. Any thread may call it: operations of all
 * hosts take place one after the other. A path is the same file for every host; relative ones start
 * at the root, which always exists.
 */
public final class SimulatedDisk {
  private final DiskSettings settings;
  private final Set<History<?>> unsynced;
  private final SimulatedTree tree;
  private final DiskSpace space;
  private final Map<String, SimulatedStore> hosts = new HashMap<>();
  private final Set<SimulatedHandle> openHandles = new LinkedHashSet<>();
  private long operationCount;
  private long nextFileNumber;
  private long crashingOperation = Long.MAX_VALUE;

  /** An empty disk with {@link DiskSettings#DEFAULT}. */
  public SimulatedDisk() {
    this(DiskSettings.DEFAULT);
  }

  /** An empty disk. */
  public SimulatedDisk(DiskSettings settings) {
    this(settings, new LinkedHashSet<>(), new SimulatedDirectory.DirectoryEntries(), 1);
  }

  private SimulatedDisk(
      DiskSettings settings,
      Set<History<?>> unsynced,
      SimulatedDirectory.DirectoryEntries rootEntries,
      long nextFileNumber) {
    this.settings = settings;
    this.unsynced = unsynced;
    this.nextFileNumber = nextFileNumber;
    this.tree = new SimulatedTree(new SimulatedDirectory(rootEntries, unsynced));
    this.space = new DiskSpace(settings.capacityBytes(), this::countUsedPages);
    space.recount();
  }

  /** The body of one operation on the disk. */
  interface Query<T> {
    T run(HostOperation operation) throws IOException;
  }

  /**
   * The door of the host of this name, which boots now if it did not run. Its changes are its own:
   * another host's force says nothing of them.
   */
  public synchronized BlockStore host(String name) {
    return hosts.computeIfAbsent(name, unused -> new SimulatedStore(this, name));
  }

  /** How many operations have taken place, of all hosts and of every kind. */
  public synchronized long operationCount() {
    return operationCount;
  }

  /**
   * Cuts the power before operation number {@code operation}, counted from 1: that one and all
   * later ones throw {@link CrashException}.
   */
  public synchronized void crashAt(long operation) {
    crashingOperation = operation;
  }

  /**
   * One host dies; the others go on. Its changes that it has not forced are undone, its handles and
   * locks are gone, and its door throws {@link CrashException} until {@link #host} boots it again,
   * which gives a new door.
   */
  public synchronized void crashHost(String name) {
    SimulatedStore dead = hosts.remove(name);
    List.copyOf(openHandles).stream()
        .filter(handle -> handle.store() == dead)
        .forEach(this::release);
    List.copyOf(unsynced).forEach(history -> history.forget(name));
    space.recount();
  }

  /** The changes that a crash now may lose, in the order in which they were made. */
  public synchronized List<HostOperation> unsyncedChanges() {
    return unsynced.stream()
        .flatMap(History::unsynced)
        .sorted(Comparator.comparingLong(HostOperation::number))
        .toList();
  }

  /**
   * What a crash of all hosts now may leave of the unsynced changes: all, none, all but each single
   * one, or all but a part of the last write. A test that wants other subsets uses {@link
   * CrashOutcome#losing}.
   */
  public List<CrashOutcome> crashOutcomes() {
    return CrashOutcome.of(unsyncedChanges());
  }

  /** A new disk with what a crash of all hosts now leaves. This disk stays as it is. */
  public synchronized SimulatedDisk afterCrash(CrashOutcome outcome) {
    Set<History<?>> unsyncedThere = new LinkedHashSet<>();
    Survivors survivors = new Survivors(outcome, unsyncedThere);
    return new SimulatedDisk(
        settings, unsyncedThere, survivors.entriesOf(tree.root()), nextFileNumber);
  }

  /**
   * The files that are open, once for each handle: empty after a program that closes what it opens.
   */
  public synchronized List<Path> openFiles() {
    return openHandles.stream().map(SimulatedHandle::path).sorted().toList();
  }

  /** Every operation of every host passes here; what it does, it does alone. */
  synchronized <T> T perform(SimulatedStore host, BlockStore.Operation operation, Query<T> query)
      throws IOException {
    if (operationCount + 1 >= crashingOperation) {
      throw new CrashException(
          host.host(), operation, "the power failed at operation " + crashingOperation);
    }
    if (hosts.get(host.host()) != host) {
      throw new CrashException(host.host(), operation, "this host has died");
    }
    operationCount++;
    return query.run(new HostOperation(operationCount, host.host(), operation));
  }

  // What follows is for operations, inside perform.

  DiskSettings settings() {
    return settings;
  }

  SimulatedTree tree() {
    return tree;
  }

  DiskSpace space() {
    return space;
  }

  SimulatedFile newFile() {
    return new SimulatedFile(nextFileNumber++, new SparseBytes(), unsynced);
  }

  SimulatedDirectory newDirectory() {
    return new SimulatedDirectory(new SimulatedDirectory.DirectoryEntries(), unsynced);
  }

  SimulatedHandle opened(SimulatedHandle handle) {
    openHandles.add(handle);
    return handle;
  }

  void release(SimulatedHandle handle) {
    handle.file().unlock(handle);
    openHandles.remove(handle);
  }

  private long countUsedPages() {
    Set<SimulatedFile> files = tree.files();
    openHandles.forEach(handle -> files.add(handle.file()));
    return files.stream().mapToLong(SimulatedFile::pageCount).sum();
  }

  /**
   * An operation that a {@link SimulatedDisk} has carried out.
   *
   * @param number counts all operations of the disk, from 1
   * @param host whose operation it was
   */
  public record HostOperation(long number, String host, BlockStore.Operation operation) {
    @Override
    public String toString() {
      return String.format("operation %d on %s, %s", number, host, operation);
    }
  }

  /**
   * The simulated power is off, so this operation did not take place.
   *
   * <p>It is not an {@link java.io.IOException}, because a program does not survive its host: code
   * that handles failed I/O must not take a crash for one and carry on.
   */
  public static final class CrashException extends RuntimeException {
    CrashException(String host, BlockStore.Operation operation, String reason) {
      super(String.format("%s on %s did not take place: %s", operation, host, reason));
    }
  }
}
