package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import java.io.IOException;
import java.nio.file.Path;

/** A call of the JDK whose failures are {@linkplain DiskException#explained explained}. */
interface SystemCall<T> {
  T run() throws IOException;

  /** Carries out {@code call}, an operation of this {@code kind} on {@code path}. */
  static <T> T of(Kind kind, Path path, SystemCall<T> call) throws IOException {
    try {
      return call.run();
    } catch (IOException failure) {
      throw DiskException.explained(kind, path, failure);
    }
  }
}
