package dev.cairn.sion;

import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** What multifile to create. Immutable: each {@code with…} gives a changed copy. */
public final class MultifileSpec {
  private static final System.Logger LOG = System.getLogger(MultifileSpec.class.getName());

  private final Choices chosen;

  private MultifileSpec(Choices chosen) {
    this.chosen = chosen;
  }

  /** The choices and their defaults. Not changed once it belongs to a spec. */
  private static final class Choices {
    private Path path;
    private OptionalInt blockSize = OptionalInt.empty();
    private FileMapping mapping = FileMapping.oneFile();
    private Grouping grouping = Grouping.none();
    private ChunkLimit chunkLimit = ChunkLimit.STORED;
    private int buddyLevels;
    private final Dialect dialect;
    private Content content = Content.BYTES;
    private ByteOrder userDataOrder = ByteOrder.LITTLE_ENDIAN;
    private ByteOrder metaDataOrder = ByteOrder.LITTLE_ENDIAN;
    private ForcePolicy forcePolicy = ForcePolicy.ON_CLOSE;

    Choices(Path path, Dialect dialect) {
      this.path = path;
      this.dialect = dialect;
    }

    Choices(Choices other) {
      this(other.path, other.dialect);
      blockSize = other.blockSize;
      mapping = other.mapping;
      grouping = other.grouping;
      chunkLimit = other.chunkLimit;
      buddyLevels = other.buddyLevels;
      content = other.content;
      userDataOrder = other.userDataOrder;
      metaDataOrder = other.metaDataOrder;
      forcePolicy = other.forcePolicy;
    }

    private List<Object> all() {
      return List.of(
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
          forcePolicy);
    }
  }

  private MultifileSpec with(Consumer<Choices> change) {
    Choices changed = new Choices(chosen);
    change.accept(changed);
    return new MultifileSpec(changed);
  }

  /** A multifile that one program writes for all its tasks. */
  public static MultifileSpec serial(Path path) {
    return new MultifileSpec(new Choices(named(path), Dialect.SERIAL));
  }

  /** A multifile that tasks write together, into one or several physical files. */
  public static MultifileSpec parallel(Path path) {
    return new MultifileSpec(new Choices(named(path), Dialect.PARALLEL));
  }

  /** A multifile whose tasks the caller places one by one, independent of the writing ranks. */
  public static MultifileSpec mapped(Path path) {
    return new MultifileSpec(new Choices(named(path), Dialect.MAPPED));
  }

  /** The same spec at another path. */
  MultifileSpec at(Path path) {
    return with(choices -> choices.path = named(path));
  }

  public MultifileSpec withBlockSize(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          String.format("a block size is at least 1 byte, not %d.", bytes));
    }
    return with(choices -> choices.blockSize = OptionalInt.of(bytes));
  }

  public MultifileSpec withMapping(FileMapping mapping) {
    Objects.requireNonNull(mapping, "mapping");
    return with(choices -> choices.mapping = mapping);
  }

  public MultifileSpec withGrouping(Grouping grouping) {
    Objects.requireNonNull(grouping, "grouping");
    return with(choices -> choices.grouping = grouping);
  }

  public MultifileSpec withChunkLimit(ChunkLimit limit) {
    Objects.requireNonNull(limit, "limit");
    return with(choices -> choices.chunkLimit = limit);
  }

  /** At most 99 levels, since the level has two digits in a file's name. */
  public MultifileSpec withBuddyLevels(int levels) {
    if (levels < 0 || levels > 99) {
      throw new IllegalArgumentException(
          String.format("a multifile has 0 to 99 levels of buddies, not %d.", levels));
    }
    return with(choices -> choices.buddyLevels = levels);
  }

  public MultifileSpec withContent(Content content) {
    Objects.requireNonNull(content, "content");
    return with(choices -> choices.content = content);
  }

  public MultifileSpec withUserDataOrder(ByteOrder order) {
    Objects.requireNonNull(order, "order");
    return with(choices -> choices.userDataOrder = order);
  }

  public MultifileSpec withMetaDataOrder(ByteOrder order) {
    Objects.requireNonNull(order, "order");
    return with(choices -> choices.metaDataOrder = order);
  }

  public MultifileSpec withForcePolicy(ForcePolicy policy) {
    Objects.requireNonNull(policy, "policy");
    return with(choices -> choices.forcePolicy = policy);
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
    if (blockSize().isPresent()) {
      return this;
    }
    BlockStore.BlockSize found = store.blockSize(directory());
    LOG.log(
        System.Logger.Level.DEBUG,
        "{0}: block size {1,number,#} bytes, from {2}",
        path(),
        found.bytes(),
        found.source());
    return withBlockSize(found.bytes());
  }

  /** The name of the multifile, which is also the name of physical file 0. */
  public Path path() {
    return chosen.path;
  }

  /** The bytes to which chunks are aligned; empty to ask the file system. */
  public OptionalInt blockSize() {
    return chosen.blockSize;
  }

  /** Which physical file holds which task. */
  public FileMapping mapping() {
    return chosen.mapping;
  }

  /** Which tasks of a physical file share file-system blocks. */
  public Grouping grouping() {
    return chosen.grouping;
  }

  /** How much of its chunk a task may use. */
  public ChunkLimit chunkLimit() {
    return chosen.chunkLimit;
  }

  /** How many copies each physical file has, written by the tasks of others. */
  public int buddyLevels() {
    return chosen.buddyLevels;
  }

  /** The dialect: the open function of the C library whose meta data are written. */
  public Dialect dialect() {
    return chosen.dialect;
  }

  /** What the tasks' streams hold. */
  public Content content() {
    return chosen.content;
  }

  /** The byte order that META1 declares for the user's data; nothing is swapped. */
  public ByteOrder userDataOrder() {
    return chosen.userDataOrder;
  }

  /** The byte order of the meta data, and of the headers of records. */
  public ByteOrder metaDataOrder() {
    return chosen.metaDataOrder;
  }

  /** When bytes are made durable. */
  public ForcePolicy forcePolicy() {
    return chosen.forcePolicy;
  }

  /** The path of a physical file. */
  public Path file(int fileNumber) {
    return FileNames.physical(path(), fileNumber);
  }

  /** The path of a physical file's copy. */
  public Path buddyFile(int level, int fileNumber) {
    return FileNames.physical(FileNames.buddy(path(), level), fileNumber);
  }

  /** The directory of all physical files. */
  Path directory() {
    Path parent = path().getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** Its name without directories. */
  String name() {
    return path().getFileName().toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MultifileSpec spec && chosen.all().equals(spec.chosen.all());
  }

  @Override
  public int hashCode() {
    return chosen.all().hashCode();
  }

  @Override
  public String toString() {
    return "MultifileSpec" + chosen.all();
  }

  private static Path named(Path path) {
    Path name = path.getFileName();
    int length = name == null ? 0 : name.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length == 0 || length > FileHeader.MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the name of a multifile takes 1 to %d bytes, not %d.",
              path, FileHeader.MAX_NAME_BYTES, length));
    }
    return path;
  }

  /** The part of its chunk that a task may use. */
  public enum ChunkLimit {
    /** All of it. */
    STORED,
    /**
     * As many as it asked for, although the chunk is rounded up to whole blocks. The C library does
     * so after parreinit, by which tasks change their chunk sizes.
     */
    REQUESTED
  }
}
