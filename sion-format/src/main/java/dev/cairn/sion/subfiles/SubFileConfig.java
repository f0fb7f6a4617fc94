package dev.cairn.sion.subfiles;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Striping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The content of a configuration file: five lines {@code key=value}, then the name of each sub-file
 * on a line of its own.
 *
 * @param stripeSize the bytes of a stripe
 * @param aggregatorCount how many concentrators wrote the set
 * @param hdf5File the absolute path of the stub when the set was made
 * @param subFileDirectory the directory of the sub-files when the set was made
 * @param subFileNames the names of the sub-files, in the order in which they take stripes
 */
public record SubFileConfig(
    long stripeSize,
    long aggregatorCount,
    String hdf5File,
    String subFileDirectory,
    List<String> subFileNames) {
  /** A name of 255 bytes for each of a quarter of a million sub-files. */
  private static final long LARGEST_SIZE = 1L << 26;

  /** Keeps a copy of the list. */
  public SubFileConfig {
    subFileNames = List.copyOf(subFileNames);
  }

  /** How many sub-files there are. */
  public int subFileCount() {
    return subFileNames.size();
  }

  Striping striping() {
    return Striping.of(stripeSize, subFileCount());
  }

  /** Reads a configuration file. */
  static SubFileConfig read(BlockStore store, Path path) throws IOException {
    try (BlockFile file = store.open(path, Access.READ)) {
      long size = file.size();
      if (size > LARGEST_SIZE) {
        throw new SubFileException(
            path,
            String.format(
                "a configuration should have %d bytes at most, but this file has %d. Name the file"
                    + " that ends in .config.",
                LARGEST_SIZE, size));
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      file.readFully(0, bytes);
      return parse(path, bytes.flip());
    }
  }

  private static SubFileConfig parse(Path path, ByteBuffer bytes) throws SubFileException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return new ConfigLines(path, text).parse();
    } catch (CharacterCodingException malformed) {
      throw new SubFileException(
          path, "a configuration is text in UTF-8, but this file is not: " + ConfigLines.REMEDY);
    }
  }

  /** The content of the file. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("stripe_size=").append(stripeSize).append('\n');
    text.append("aggregator_count=").append(aggregatorCount).append('\n');
    text.append("subfile_count=").append(subFileCount()).append('\n');
    text.append("hdf5_file=").append(hdf5File).append('\n');
    text.append("subfile_dir=").append(subFileDirectory).append('\n');
    subFileNames.forEach(name -> text.append(name).append('\n'));
    return text.toString();
  }
}
