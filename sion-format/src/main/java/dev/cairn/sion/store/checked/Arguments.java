package dev.cairn.sion.store.checked;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The argument checks of all stores, with the same messages. */
public final class Arguments {
  private Arguments() {}

  static void requirePosition(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("a position is at least 0, not " + position);
    }
  }

  static void requireSize(long size) {
    if (size < 0) {
      throw new IllegalArgumentException("a size is at least 0, not " + size);
    }
  }

  static void requireRange(long position, int byteCount) {
    requirePosition(position);
    if (position > Long.MAX_VALUE - byteCount) {
      throw new IllegalArgumentException(
          String.format("%d bytes at byte %d end behind the largest size", byteCount, position));
    }
  }

  public static void requireOneDirectory(Path from, Path to) {
    if (!Objects.equals(directoryOf(from), directoryOf(to))) {
      throw new IllegalArgumentException(
          String.format("%s cannot be renamed to %s: they are not in one directory", from, to));
    }
  }

  public static IllegalArgumentException directoryRename(Path from) {
    return new IllegalArgumentException(from + " is a directory; only files are renamed");
  }

  private static @Nullable Path directoryOf(Path path) {
    return path.toAbsolutePath().normalize().getParent();
  }
}
