package dev.cairn.benchmarks;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * The bounds of a save and of a restore: threads do only their passes over their arrays, each with
 * a file of its own.
 *
 * <p>{@code Passes DIR [THREADS [MEBIBYTES_EACH [ROUNDS]]]}, with a multiple of 4 MiB, prints for
 * each further pass, and for each size of a write or read, the median rate of all threads. Before
 * that, it prints how much longer than the tenth the first save of this JVM takes.
 */
public final class Passes {
  private enum Pass {
    TRANSFER,
    COPY,
    SUM,
    DIGEST
  }

  private static final int FRAME = 4 << 20;
  private static final int STEP = 1 << 16;
  private static final int[] TRANSFER_SIZES = {FRAME, 1 << 20, STEP};

  private final Path directory;
  private final double[][] arrays;
  private final ByteBuffer[] frames;

  private Passes(Path directory, int threads, int mebibytes) {
    this.directory = directory;
    arrays = new double[threads][mebibytes << 17];
    frames = new ByteBuffer[threads];
    Arrays.setAll(frames, thread -> frame());
    onThreads(thread -> Arrays.setAll(arrays[thread], cell -> cell * 0.5));
  }

  public static void main(String[] args) {
    List<Integer> numbers = Arrays.stream(args).skip(1).map(Integer::valueOf).toList();
    int threads = numbers.isEmpty() ? Runtime.getRuntime().availableProcessors() : numbers.get(0);
    Passes passes =
        new Passes(Path.of(args[0]), threads, numbers.size() < 2 ? 256 : numbers.get(1));
    int rounds = numbers.size() < 3 ? 5 : numbers.get(2);
    Job nothing = thread -> {};
    Job delete = thread -> Files.deleteIfExists(passes.file(thread));
    Job whole = thread -> passes.save(thread, Pass.DIGEST, 1 << 20);
    List<Double> saves = passes.seconds(delete, whole, 10);
    System.out.printf("first save: %.1f times the tenth%n", saves.get(0) / saves.get(9));
    for (Pass last : Pass.values()) {
      for (int size : TRANSFER_SIZES) {
        Job save = thread -> passes.save(thread, last, size);
        passes.print("save", last, size, passes.rate(delete, save, rounds));
      }
    }
    for (Pass last : Pass.values()) {
      for (int size : TRANSFER_SIZES) {
        Job restore = thread -> passes.restore(thread, last, size);
        passes.print("restore", last, size, passes.rate(nothing, restore, rounds));
      }
    }
    passes.onThreads(delete);
  }

  private void print(String job, Pass last, int size, double rate) {
    System.out.printf("%s up to %s, %d KiB at once: %.1f GiB/s%n", job, last, size >> 10, rate);
  }

  private double rate(Job before, Job timed, int rounds) {
    // The first round is slow, until its code is compiled.
    List<Double> sorted = seconds(before, timed, rounds + 1).stream().skip(1).sorted().toList();
    double bytes = 8.0 * arrays.length * arrays[0].length;
    return bytes / sorted.get(sorted.size() / 2) / (1 << 30);
  }

  private List<Double> seconds(Job before, Job timed, int rounds) {
    List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      onThreads(before);
      long begin = System.nanoTime();
      onThreads(timed);
      seconds.add((System.nanoTime() - begin) / 1e9);
    }
    return seconds;
  }

  private void save(int thread, Pass last, int writeSize) throws IOException {
    double[] array = arrays[thread];
    ByteBuffer frame = frames[thread];
    CRC32C sum = new CRC32C();
    Digest digest = new Digest();
    try (FileChannel channel = FileChannel.open(file(thread), CREATE_NEW, WRITE)) {
      for (long position = 0; position < 8L * array.length; position += STEP) {
        int start = (int) (position % FRAME);
        ByteBuffer step = frame.slice(start, STEP).order(ByteOrder.LITTLE_ENDIAN);
        if (last.compareTo(Pass.COPY) >= 0) {
          step.asDoubleBuffer().put(array, (int) (position / 8), STEP / 8);
        }
        if (last.compareTo(Pass.SUM) >= 0) {
          sum.update(step.duplicate());
        }
        if (last.compareTo(Pass.DIGEST) >= 0) {
          digest.add(step.asLongBuffer());
        }
        int end = start + STEP;
        if (end % writeSize == 0) {
          ByteBuffer written = frame.slice(end - writeSize, writeSize);
          while (written.hasRemaining()) {
            channel.write(written, position + STEP - written.remaining());
          }
        }
      }
    }
    requireUse(sum, digest);
  }

  private void restore(int thread, Pass last, int readSize) throws IOException {
    double[] array = arrays[thread];
    ByteBuffer frame = frames[thread];
    CRC32C sum = new CRC32C();
    Digest digest = new Digest();
    try (FileChannel channel = FileChannel.open(file(thread), READ)) {
      for (long position = 0; position < 8L * array.length; position += readSize) {
        ByteBuffer read = frame.slice(0, readSize).order(ByteOrder.LITTLE_ENDIAN);
        while (read.hasRemaining()) {
          if (channel.read(read, position + read.position()) < 0) {
            throw new IOException(file(thread) + " ends early");
          }
        }
        if (last.compareTo(Pass.SUM) >= 0) {
          sum.update(read.flip());
        }
        for (int start = 0; start < readSize && last.compareTo(Pass.COPY) >= 0; start += STEP) {
          int cell = (int) ((position + start) / 8);
          ByteBuffer step = frame.slice(start, STEP).order(ByteOrder.LITTLE_ENDIAN);
          step.asDoubleBuffer().get(array, cell, STEP / 8);
          if (last.compareTo(Pass.DIGEST) >= 0) {
            digest.add(array, cell, STEP / 8);
          }
        }
      }
    }
    requireUse(sum, digest);
  }

  private static void requireUse(CRC32C sum, Digest digest) throws IOException {
    if (sum.getValue() + digest.first[0] + digest.second[0] == 1) {
      throw new IOException("never, but the sums must not be left out");
    }
  }

  private Path file(int thread) {
    return directory.resolve("passes." + thread);
  }

  private static ByteBuffer frame() {
    return ByteBuffer.allocateDirect(FRAME + 4096).alignedSlice(4096).slice(0, FRAME);
  }

  /** The products of docs/decisions/0029, with one key for all lines. */
  private static final class Digest {
    final long[] first = new long[512];
    final long[] second = new long[512];
    private final long[] bits = new long[512];
    private final ByteBuffer line = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);

    void add(LongBuffer cells) {
      while (cells.hasRemaining()) {
        cells.get(bits);
        addProducts(first, 0x9e3779b97f4a7c15L);
        addProducts(second, 0xd1b54a32d192ed03L);
      }
    }

    void add(double[] cells, int from, int count) {
      for (int cell = from; cell < from + count; cell += bits.length) {
        line.asDoubleBuffer().put(cells, cell, bits.length);
        add(line.asLongBuffer());
      }
    }

    private void addProducts(long[] sums, long key) {
      for (int place = 0; place < sums.length; place++) {
        long sum = bits[place] + key;
        sums[place] += (sum & 0xffffffffL) * (sum >>> 32);
      }
    }
  }

  private interface Job {
    void run(int thread) throws IOException;
  }

  private void onThreads(Job job) {
    IntStream.range(0, arrays.length)
        .parallel()
        .forEach(
            thread -> {
              try {
                job.run(thread);
              } catch (IOException failure) {
                throw new UncheckedIOException(failure);
              }
            });
  }
}
