package dev.cairn.sion.log;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The segment that was read last, which stays open until another one is read. */
final class OpenSegment implements Closeable {
  private final BlockStore store;
  private @Nullable BlockFile file;
  private boolean isClosed;

  OpenSegment(BlockStore store) {
    this.store = store;
  }

  BlockFile at(Path path) throws IOException {
    if (isClosed) {
      throw new ClosedChannelException();
    }
    BlockFile open = file;
    if (open != null && open.path().equals(path)) {
      return open;
    }
    release();
    BlockFile opened = store.open(path, Access.READ);
    file = opened;
    return opened;
  }

  /** Closes the file; the next read opens one again. */
  void release() throws IOException {
    BlockFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    release();
  }

  void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }
}
