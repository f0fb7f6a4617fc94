package dev.cairn.sion.subfiles;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.LocalExtent;
import dev.cairn.sion.stripe.Selection;
import dev.cairn.sion.stripe.Striping;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A set of HDF5 sub-files, open for reading: the bytes of its logical HDF5 file, at any offset.
 *
 * <p>The length of the logical file is that of its superblock, and every sub-file must have exactly
 * the bytes that follow from it. No checksum exists, so a changed byte is not noticed. The owner
 * closes the set; until then any thread may read.
 */
public final class SubFileSet implements Closeable {
  private final Path path;
  private final Survey.Findings findings;

  /** By the number of the sub-file, without those that are missing. */
  private final Map<Integer, BlockFile> files;

  private SubFileSet(Path path, Survey.Findings findings, Map<Integer, BlockFile> files) {
    this.path = path;
    this.findings = findings;
    this.files = files;
  }

  /**
   * Opens the set of a configuration file. Its sub-files and its stub are looked for beside it, and
   * only then where it says that they are.
   *
   * @param configuration the file whose name ends in {@code .config}
   * @throws SubFileException if the configuration is damaged or contradicts the HDF5 file, or if
   *     the set is not complete and {@code missing} refuses that
   */
  public static SubFileSet open(BlockStore store, Path configuration, MissingBytes missing)
      throws IOException {
    Survey.Findings findings = Survey.of(store, configuration);
    if (missing == MissingBytes.REFUSE && !findings.defects().isEmpty()) {
      throw findings.defects().get(0);
    }
    Map<Integer, BlockFile> files = new HashMap<>();
    try {
      for (SubFile subFile : findings.subFiles()) {
        if (!subFile.isMissing()) {
          files.put(subFile.number(), store.open(subFile.path(), Access.READ));
        }
      }
      return new SubFileSet(configuration, findings, files);
    } catch (IOException | RuntimeException failure) {
      CloseAll.close(List.copyOf(files.values()));
      throw failure;
    }
  }

  /** The configuration file. */
  public Path path() {
    return path;
  }

  /** What the configuration says. */
  public SubFileConfig configuration() {
    return findings.config();
  }

  /** How the bytes are dealt to the sub-files. */
  public Striping striping() {
    return findings.striping();
  }

  /** The length of the logical file. */
  public long size() {
    return findings.size();
  }

  /** The sub-files in the order in which they take stripes. */
  public List<SubFile> subFiles() {
    return findings.subFiles();
  }

  /**
   * What is missing or does not fit, as sentences; empty unless the set was opened in spite of it.
   */
  public List<String> defects() {
    return findings.defects().stream().map(SubFileException::getMessage).toList();
  }

  /** What is unusual about the set but changes no byte of it, as sentences. */
  public List<String> notes() {
    return findings.notes();
  }

  /** The bytes of the logical file that no sub-file holds. */
  public Selection holes() {
    long reached = reached();
    List<Selection> holes = new ArrayList<>();
    for (SubFile subFile : subFiles()) {
      long end = striping().lengthOf(subFile.number(), reached);
      holes.add(() -> new HoleIterator(striping(), subFile, end));
    }
    // The rest is one hole, and joining it of its stripes could take years if the size is damaged.
    holes.add(Selection.of(reached, size() - reached));
    return Selection.union(holes);
  }

  /** The end of the last byte of the logical file that any sub-file holds. */
  long reached() {
    return striping()
        .logicalLength(subFiles().stream().mapToLong(SubFile::availableSize).toArray());
  }

  /** The bytes of the logical file that this sub-file should hold and does not. */
  public Selection holesOf(SubFile subFile) {
    return () -> new HoleIterator(striping(), subFile, subFile.expectedSize());
  }

  /**
   * Fills {@code target} with the bytes of the logical file from {@code logicalOffset} on. Each
   * sub-file is read once.
   *
   * @throws SubFileException if one of the bytes is in a hole; what {@code target} then holds is
   *     undefined
   * @throws IllegalArgumentException if they are not within the file
   */
  public void readFully(long logicalOffset, ByteBuffer target) throws IOException {
    if (logicalOffset < 0 || logicalOffset > size() - target.remaining()) {
      throw new IllegalArgumentException(
          String.format(
              "%d bytes at %d are not within the %d bytes of %s.",
              target.remaining(), logicalOffset, size(), path));
    }
    int end = target.limit();
    long next = logicalOffset;
    while (target.position() < end) {
      target.limit(Math.min(end, target.position() + StripeBuffer.WINDOW_SIZE));
      int count = target.remaining();
      for (LocalExtent extent : LocalExtent.of(striping(), Selection.of(next, count))) {
        StripeBuffer.read(fileOf(extent), extent, target);
      }
      target.position(target.limit()).limit(end);
      next += count;
    }
  }

  private BlockFile fileOf(LocalExtent extent) throws SubFileException {
    SubFile subFile = subFiles().get(extent.subFile());
    BlockFile file = files.get(extent.subFile());
    if (file == null || extent.local() + extent.length() > subFile.availableSize()) {
      throw new SubFileException(
          subFile.path(),
          String.format(
              "bytes %d to %d of this sub-file are wanted, but %d of %d bytes are there. Read"
                  + " around the holes of the set, or bring the sub-file back.",
              extent.local(),
              extent.local() + extent.length() - 1,
              subFile.availableSize(),
              subFile.expectedSize()));
    }
    return file;
  }

  @Override
  public void close() throws IOException {
    CloseAll.close(List.copyOf(files.values()));
  }

  /** What becomes of a set that is not complete. */
  public enum MissingBytes {
    /** It is refused. */
    REFUSE,

    /** It is read; bytes that are not there are holes, and to read a hole is refused. */
    ALLOW
  }

  /**
   * A sub-file of a set.
   *
   * @param number its place among the sub-files, from 0
   * @param path where it lies, or should lie
   * @param expectedSize the bytes it should have
   * @param size the bytes it has; empty if it is missing
   */
  public record SubFile(int number, Path path, long expectedSize, OptionalLong size) {

    /** How many of the expected bytes are there. */
    public long availableSize() {
      return Math.min(expectedSize, size.orElse(0));
    }

    /** Whether it has the bytes it should have, and no others. */
    public boolean isWhole() {
      return size.isPresent() && size.getAsLong() == expectedSize;
    }

    boolean isMissing() {
      return size.isEmpty();
    }
  }
}
