package dev.cairn.sion.file;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Random access to the bytes of a physical file. Any number of threads may read at once. */
public interface FileSource extends Closeable {
  Path path();

  long size() throws IOException;

  /** Fills {@code target} from {@code position} on. */
  void readFully(long position, ByteBuffer target) throws IOException;

  /** Where the physical files of a multifile come from. */
  @FunctionalInterface
  interface Origin {
    /** Opens the file of this name; the caller closes it. */
    FileSource open(Path path) throws IOException;
  }

  /** The files in {@code store}, by the names by which it is asked for them. */
  static Origin in(BlockStore store) {
    return path -> of(path, store.open(path, Access.READ));
  }

  /** Takes over {@code file}. */
  private static FileSource of(Path path, BlockFile file) {
    return new FileSource() {
      @Override
      public Path path() {
        return path;
      }

      @Override
      public long size() throws IOException {
        return file.size();
      }

      @Override
      public void readFully(long position, ByteBuffer target) throws IOException {
        file.readFully(position, target);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
