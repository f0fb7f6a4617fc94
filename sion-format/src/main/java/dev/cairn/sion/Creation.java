package dev.cairn.sion;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the physical files of a new multifile, and removes an older one of the same name. File 0 of
 * the older one is removed first, and durably. Without it the other old files cannot be taken for a
 * multifile or for members of the new one.
 */
final class Creation {
  /** Enough of a file to know whether it is a multifile. */
  private static final int START_BYTES = 16;

  private final BlockStore store;
  private final MultifileLayout layout;

  Creation(BlockStore store, MultifileLayout layout) {
    this.store = store;
    this.layout = layout;
  }

  /** Takes over a new file, which it closes. */
  interface FileOwner {
    void take(int fileNumber, BlockFile file) throws IOException;
  }

  /** Hands each file over when it has its head. */
  void run(FileOwner owner) throws IOException {
    List<Path> leftovers = leftovers();
    for (Path leftover : leftovers) {
      requireMember(leftover);
    }
    createFile(0, owner);
    for (Path leftover : leftovers) {
      store.delete(leftover);
    }
    for (int fileNumber = 1; fileNumber < layout.fileCount(); fileNumber++) {
      createFile(fileNumber, owner);
    }
  }

  private void createFile(int fileNumber, FileOwner owner) throws IOException {
    BlockFile file = createOrTruncate(layout.file(fileNumber));
    try {
      new NewFile(layout, fileNumber).writeHead(file::write);
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, file);
      throw failure;
    }
    owner.take(fileNumber, file);
  }

  private BlockFile createOrTruncate(Path path) throws IOException {
    if (!store.exists(path)) {
      return store.create(path);
    }
    BlockFile file = store.open(path, Access.READ_WRITE);
    try {
      file.resize(0);
      if (layout.spec().forcePolicy() == ForcePolicy.ON_CLOSE) {
        file.force();
      }
      return file;
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, file);
      throw failure;
    }
  }

  /** Files of an older multifile of this name that the new one does not overwrite. */
  private List<Path> leftovers() throws IOException {
    MultifileSpec spec = layout.spec();
    Set<Path> members = new HashSet<>();
    for (int fileNumber = 0; fileNumber < layout.fileCount(); fileNumber++) {
      members.add(layout.file(fileNumber).getFileName());
    }
    List<Path> leftovers = new ArrayList<>();
    for (Path path : store.list(spec.directory())) {
      Path name = path.getFileName();
      if (FileNames.isOfSet(spec.name(), name.toString()) && !members.contains(name)) {
        leftovers.add(path);
      }
    }
    return leftovers;
  }

  /** Only files that are certainly physical files of a multifile are deleted. */
  private void requireMember(Path leftover) throws IOException {
    if (!isMember(leftover)) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the name is that of a physical file of %s, but it is no multifile: move it away,"
                  + " or choose another name.",
              leftover, layout.spec().path()));
    }
  }

  /** A writer that was stopped early may have left an empty file. */
  private boolean isMember(Path leftover) throws IOException {
    try (BlockFile file = store.open(leftover, Access.READ)) {
      ByteBuffer start = ByteBuffer.allocate(START_BYTES);
      return file.read(0, start) < 0 || FileHeader.startsWithMagic(start.flip());
    }
  }
}
