package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The block sizes of the file systems that this process has met, by the numbers of their devices:
 * finding the file system of a path reads the table of mounts, which takes longer than a small
 * file. If another one gets the number of a device, its files only have another alignment.
 */
final class KnownBlockSizes {
  private static final Map<Object, BlockStore.BlockSize> BY_DEVICE = new ConcurrentHashMap<>();

  private KnownBlockSizes() {}

  static BlockStore.BlockSize of(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return asked(path);
    }
    Object device = Files.getAttribute(path, "unix:dev");
    BlockStore.BlockSize known = BY_DEVICE.get(device);
    if (known != null) {
      return known;
    }
    BlockStore.BlockSize asked = asked(path);
    BY_DEVICE.put(device, asked);
    return asked;
  }

  private static BlockStore.BlockSize asked(Path path) throws IOException {
    FileStore fileStore = Files.getFileStore(path);
    return PreferredBlockSize.choose(fileStore.type(), reportedBlockSize(fileStore));
  }

  private static long reportedBlockSize(FileStore fileStore) throws IOException {
    try {
      return fileStore.getBlockSize();
    } catch (UnsupportedOperationException e) {
      return 0;
    }
  }
}
