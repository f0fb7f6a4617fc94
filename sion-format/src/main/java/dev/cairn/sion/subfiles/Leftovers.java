package dev.cairn.sion.subfiles;

import dev.cairn.sion.file.NewFiles;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What an interrupted {@link SubFileCreation} has left. Its names have the inode of its own stub,
 * so another creation would not meet them.
 */
final class Leftovers {
  private static final int MOST_NAMES = 12;

  private final Path stub;

  /** That of the unfinished stub, which files that already have their own names are made of. */
  private final OptionalLong inode;

  private Leftovers(Path stub, OptionalLong inode) {
    this.stub = stub;
    this.inode = inode;
  }

  /** Refuses if the directory holds files of an unfinished set of {@code stub}, and names them. */
  static void requireNone(BlockStore store, Path stub) throws IOException {
    Path directory = Location.directoryOf(stub);
    Path unfinished = NewFiles.part(stub);
    OptionalLong inode =
        store.exists(unfinished) ? store.fileNumber(unfinished) : OptionalLong.empty();
    Leftovers leftovers = new Leftovers(stub, inode);
    List<Path> found = store.list(directory).stream().filter(leftovers::includes).toList();
    if (!found.isEmpty()) {
      throw new FileAlreadyExistsException(found.get(0).toString(), null, reason(found));
    }
  }

  private boolean includes(Path path) {
    String name = path.getFileName().toString();
    if (!NewFiles.isPart(path)) {
      return names(name).filter(names -> isOf(names, inode)).isPresent();
    }
    String own = NewFiles.whole(path).getFileName().toString();
    return own.equals(stub.getFileName().toString()) || names(own).isPresent();
  }

  private Optional<SubFileNames> names(String name) {
    return SubFileNames.ofSubFile(name)
        .or(() -> SubFileNames.ofConfiguration(name))
        .filter(names -> names.stub().equals(stub.getFileName().toString()));
  }

  private static boolean isOf(SubFileNames names, OptionalLong inode) {
    return inode.isPresent() && names.inode().equals(Long.toUnsignedString(inode.getAsLong()));
  }

  private static String reason(List<Path> found) {
    if (found.size() == 1) {
      return "it exists and is not overwritten (an interrupted copy leaves such a file): delete it,"
          + " or choose another name";
    }
    String others =
        found.stream()
            .skip(1)
            .limit(MOST_NAMES)
            .map(Path::toString)
            .collect(Collectors.joining(", "));
    int rest = found.size() - 1 - MOST_NAMES;
    return String.format(
        "it exists and is not overwritten, nor are %s%s (an interrupted copy leaves such files):"
            + " delete them, or choose another name",
        others, rest > 0 ? " and " + rest + " more" : "");
  }
}
