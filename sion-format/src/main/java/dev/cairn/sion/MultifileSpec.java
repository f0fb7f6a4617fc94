package dev.cairn.sion;

import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.BlockSize;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What multifile to create. Immutable: each {@code with…} gives a changed copy.
 *
 * @param path the name of the multifile, which is also the name of physical file 0
 * @param blockSize the bytes to which chunks are aligned; empty to ask the file system
 * @param mapping which physical file holds which task
 * @param grouping which tasks of a physical file share file-system blocks
 * @param chunkLimit how much of its chunk a task may use
 * @param buddyLevels how many copies each physical file has, written by the tasks of others
 * @param dialect which of the C library's opens the file looks like
 * @param content what the tasks' streams hold
 * @param userDataOrder the byte order that readers are told the user's data have; nothing is
 *     swapped
 * @param metaDataOrder the byte order of the meta data, and of the headers of records
 * @param forcePolicy when bytes are made durable
 */
public record MultifileSpec(
    Path path,
    OptionalInt blockSize,
    FileMapping mapping,
    Grouping grouping,
    ChunkLimit chunkLimit,
    int buddyLevels,
    Dialect dialect,
    Content content,
    ByteOrder userDataOrder,
    ByteOrder metaDataOrder,
    ForcePolicy forcePolicy) {
  private static final System.Logger LOG = System.getLogger(MultifileSpec.class.getName());

  public MultifileSpec {
    Objects.requireNonNull(mapping, "mapping");
    Objects.requireNonNull(grouping, "grouping");
    Objects.requireNonNull(chunkLimit, "chunkLimit");
    Objects.requireNonNull(dialect, "dialect");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(userDataOrder, "userDataOrder");
    Objects.requireNonNull(metaDataOrder, "metaDataOrder");
    Objects.requireNonNull(forcePolicy, "forcePolicy");
    requireName(path);
    requireBlockSize(blockSize);
    requireLevels(buddyLevels);
  }

  /** A multifile that one program writes for all its tasks. */
  public static MultifileSpec serial(Path path) {
    return plain(path, Dialect.SERIAL);
  }

  /** A multifile that tasks write together, into one or several physical files. */
  public static MultifileSpec parallel(Path path) {
    return plain(path, Dialect.PARALLEL);
  }

  /** A multifile whose tasks the caller places one by one, whoever writes them. */
  public static MultifileSpec mapped(Path path) {
    return plain(path, Dialect.MAPPED);
  }

  private static MultifileSpec plain(Path path, Dialect dialect) {
    return new MultifileSpec(
        path,
        OptionalInt.empty(),
        FileMapping.oneFile(),
        Grouping.none(),
        ChunkLimit.STORED,
        0,
        dialect,
        Content.BYTES,
        ByteOrder.LITTLE_ENDIAN,
        ByteOrder.LITTLE_ENDIAN,
        ForcePolicy.ON_CLOSE);
  }

  public MultifileSpec withBlockSize(int bytes) {
    return new MultifileSpec(
        path,
        OptionalInt.of(bytes),
        mapping,
        grouping,
        chunkLimit,
        buddyLevels,
        dialect,
        content,
        userDataOrder,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withMapping(FileMapping newMapping) {
    return new MultifileSpec(
        path,
        blockSize,
        newMapping,
        grouping,
        chunkLimit,
        buddyLevels,
        dialect,
        content,
        userDataOrder,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withGrouping(Grouping newGrouping) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        newGrouping,
        chunkLimit,
        buddyLevels,
        dialect,
        content,
        userDataOrder,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withChunkLimit(ChunkLimit limit) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        grouping,
        limit,
        buddyLevels,
        dialect,
        content,
        userDataOrder,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withBuddyLevels(int levels) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        grouping,
        chunkLimit,
        levels,
        dialect,
        content,
        userDataOrder,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withContent(Content newContent) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        grouping,
        chunkLimit,
        buddyLevels,
        dialect,
        newContent,
        userDataOrder,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withUserDataOrder(ByteOrder order) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        grouping,
        chunkLimit,
        buddyLevels,
        dialect,
        content,
        order,
        metaDataOrder,
        forcePolicy);
  }

  public MultifileSpec withMetaDataOrder(ByteOrder order) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        grouping,
        chunkLimit,
        buddyLevels,
        dialect,
        content,
        userDataOrder,
        order,
        forcePolicy);
  }

  public MultifileSpec withForcePolicy(ForcePolicy policy) {
    return new MultifileSpec(
        path,
        blockSize,
        mapping,
        grouping,
        chunkLimit,
        buddyLevels,
        dialect,
        content,
        userDataOrder,
        metaDataOrder,
        policy);
  }

  /**
   * This spec, changed as a C program would change it with its open flags, for instance {@code
   * bw,collective,collsize=4}. Environment variables are not looked at.
   *
   * @throws IllegalArgumentException if a flag is unknown, or says nothing about a new multifile
   */
  public MultifileSpec withFlags(String flags) {
    return OpenFlags.apply(this, flags);
  }

  /**
   * This spec with a block size: its own, or else what the file system of its directory prefers,
   * which is logged with its source.
   */
  public MultifileSpec resolve(BlockStore store) throws IOException {
    if (blockSize.isPresent()) {
      return this;
    }
    BlockSize found = store.blockSize(directory());
    LOG.log(
        System.Logger.Level.INFO,
        "{0}: block size {1,number,#} bytes, from {2}",
        path,
        found.bytes(),
        found.source());
    return withBlockSize(found.bytes());
  }

  /** The path of a physical file. */
  public Path file(int fileNumber) {
    return FileNames.physical(path, fileNumber);
  }

  /** The path of a physical file's copy. */
  public Path buddyFile(int level, int fileNumber) {
    return FileNames.physical(FileNames.buddy(path, level), fileNumber);
  }

  /** The directory of all physical files. */
  Path directory() {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** Its name without directories. */
  String name() {
    return path.getFileName().toString();
  }

  private static void requireName(Path path) {
    Path name = path.getFileName();
    int length = name == null ? 0 : name.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length == 0 || length > FileHeader.MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the name of a multifile takes 1 to %d bytes, not %d.",
              path, FileHeader.MAX_NAME_BYTES, length));
    }
  }

  private static void requireBlockSize(OptionalInt blockSize) {
    if (blockSize.isPresent() && blockSize.getAsInt() < 1) {
      throw new IllegalArgumentException(
          String.format("a block size is at least 1 byte, not %d.", blockSize.getAsInt()));
    }
  }

  /** The level has two digits in a file's name. */
  private static void requireLevels(int buddyLevels) {
    if (buddyLevels < 0 || buddyLevels > 99) {
      throw new IllegalArgumentException(
          String.format("a multifile has 0 to 99 levels of buddies, not %d.", buddyLevels));
    }
  }
}
