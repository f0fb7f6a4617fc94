package dev.cairn.sion.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.Native;
import dev.cairn.sion.ChunkWriter;
import dev.cairn.sion.Content;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.failure.SionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Tasks whose streams are compressed with Zstandard. Such a stream says so itself, in a mark at its
 * start; docs/reference/multifile.md has the details. The command {@code zstd -d} decompresses it,
 * too.
 *
 * <p>This needs the library {@code com.github.luben:zstd-jni}, on which nothing else here depends:
 * a program that compresses adds it to the class path, or to the module path together with {@code
 * --add-modules com.github.luben.zstd_jni}.
 */
public final class ZstdStreams {
  /** Zstandard's own choice between speed and size. */
  private static final int DEFAULT_LEVEL = 3;

  private ZstdStreams() {}

  /** The same as {@link #compress(ChunkWriter, int)} with the level that Zstandard itself uses. */
  public static OutputStream compress(ChunkWriter task) throws IOException {
    return compress(task, DEFAULT_LEVEL);
  }

  /**
   * A stream that compresses what is written and appends it to a task that has written nothing yet.
   * The caller closes it, which ends the compressed stream; until then {@code task} must not be
   * used otherwise, and its multifile cannot be finished. If a write fails, the multifile can never
   * be finished, since bytes behind a torn frame could not be read.
   *
   * <p>It holds 2 MiB and what Zstandard needs for the level. A flush ends a frame, so frequent
   * ones cost space. One thread at a time.
   *
   * @param level from 1, fast, to 22, small; negative ones are even faster
   * @throws IOException if the library is not there
   */
  public static OutputStream compress(ChunkWriter task, int level) throws IOException {
    requireLibrary();
    if (level < Zstd.minCompressionLevel() || level > Zstd.maxCompressionLevel()) {
      throw new IllegalArgumentException(
          String.format(
              "task %d: Zstandard has levels %d to %d, not %d.",
              task.task(), Zstd.minCompressionLevel(), Zstd.maxCompressionLevel(), level));
    }
    if (task.size() > 0) {
      throw new IllegalArgumentException(
          String.format(
              "task %d has written %d bytes already: compress its stream from the start.",
              task.task(), task.size()));
    }
    return new ZstdOutput(task, level);
  }

  /**
   * Whether a task's stream begins like one that {@link #compress} has written. User data that
   * begin with a Zstandard frame do not. This works without the library.
   */
  public static boolean isCompressed(TaskView task) throws IOException {
    return task.content() == Content.BYTES && ZstdMarks.isAtStart(task);
  }

  /**
   * What was written into the stream that {@link #compress} gave, checked frame by frame against
   * Zstandard's checksums; at its end also that nothing is missing. It holds 2 MiB, whatever the
   * file says. The caller closes it; that closes nothing else. One thread at a time, but many of
   * them can read one task.
   *
   * @throws IllegalArgumentException if the stream is not compressed
   * @throws IOException if the library is not there; later on a {@link SionException} for damage
   */
  public static InputStream decompress(TaskView task) throws IOException {
    if (!isCompressed(task)) {
      throw new IllegalArgumentException(
          String.format(
              "task %d is not compressed, or not by this library: read its stream().",
              task.task()));
    }
    requireLibrary();
    return new ZstdInput(task);
  }

  private static void requireLibrary() throws IOException {
    try {
      Native.load();
    } catch (LinkageError absent) {
      throw new IOException(
          "compressed streams need the library com.github.luben:zstd-jni, which is not there or not"
              + " for this machine: add it to the class path, or to the module path with"
              + " --add-modules com.github.luben.zstd_jni.",
          absent);
    }
  }
}
