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
 * <p>{@code Passes DIR [THREADS [MEBIBYTES_EACH [ROUNDS]]]} prints for each further pass the median
 * rate of all threads. Before that, it prints how much longer than the tenth the first save of this
 * JVM takes.
 */
public final class Passes {
  private enum Pass {
    TRANSFER,
    COPY,
    SUM,
    DIGEST
  }

  /** What is written or read at once, and what the passes over memory take at once. */
  private static final int PIECE = 1 << 20;

  private static final int STEP = 1 << 16;

  private final Path directory;
  private final double[][] arrays;
  private final ByteBuffer[] pieces;

  private Passes(Path directory, int threads, int mebibytes) {
    this.directory = directory;
    arrays = new double[threads][mebibytes << 17];
    pieces = new ByteBuffer[threads];
    Arrays.setAll(pieces, thread -> ByteBuffer.allocateDirect(PIECE + 4096).alignedSlice(4096));
    onThreads(thread -> Arrays.setAll(arrays[thread], cell -> cell * 0.5));
  }

  public static void main(String[] args) {
    List<Integer> numbers = Arrays.stream(args).skip(1).map(Integer::valueOf).toList();
    int threads = numbers.isEmpty() ? Runtime.getRuntime().availableProcessors() : numbers.get(0);
    int mebibytes = numbers.size() < 2 ? 256 : numbers.get(1);
    new Passes(Path.of(args[0]), threads, mebibytes).run(numbers.size() < 3 ? 5 : numbers.get(2));
  }

  private void run(int rounds) {
    Job delete = thread -> Files.deleteIfExists(file(thread));
    List<Double> saves = seconds(delete, thread -> save(thread, Pass.DIGEST), 10);
    System.out.printf("first save: %.1f times the tenth%n", saves.get(0) / saves.get(9));
    for (Pass last : Pass.values()) {
      double rate = rate(delete, thread -> save(thread, last), rounds);
      System.out.printf("save up to %s: %.1f GiB/s%n", last, rate);
    }
    for (Pass last : Pass.values()) {
      double rate = rate(thread -> {}, thread -> restore(thread, last), rounds);
      System.out.printf("restore up to %s: %.1f GiB/s%n", last, rate);
    }
    onThreads(delete);
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

  private void save(int thread, Pass last) throws IOException {
    double[] array = arrays[thread];
    CRC32C sum = new CRC32C();
    Digest digest = new Digest();
    try (FileChannel channel = FileChannel.open(file(thread), CREATE_NEW, WRITE)) {
      for (long position = 0; position < 8L * array.length; position += PIECE) {
        for (int start = 0; start < PIECE; start += STEP) {
          ByteBuffer step = step(thread, start);
          if (last.compareTo(Pass.COPY) >= 0) {
            step.asDoubleBuffer().put(array, (int) ((position + start) / 8), STEP / 8);
          }
          if (last.compareTo(Pass.SUM) >= 0) {
            sum.update(step.duplicate());
          }
          if (last.compareTo(Pass.DIGEST) >= 0) {
            digest.add(step.asLongBuffer());
          }
        }
        ByteBuffer written = pieces[thread].slice(0, PIECE);
        while (written.hasRemaining()) {
          channel.write(written, position + written.position());
        }
      }
    }
    requireUse(sum, digest);
  }

  private void restore(int thread, Pass last) throws IOException {
    double[] array = arrays[thread];
    CRC32C sum = new CRC32C();
    Digest digest = new Digest();
    try (FileChannel channel = FileChannel.open(file(thread), READ)) {
      for (long position = 0; position < 8L * array.length; position += PIECE) {
        ByteBuffer read = pieces[thread].slice(0, PIECE);
        while (read.hasRemaining()) {
          if (channel.read(read, position + read.position()) < 0) {
            throw new IOException(file(thread) + " ends early");
          }
        }
        if (last.compareTo(Pass.SUM) >= 0) {
          sum.update(read.flip());
        }
        for (int start = 0; start < PIECE && last.compareTo(Pass.COPY) >= 0; start += STEP) {
          int cell = (int) ((position + start) / 8);
          step(thread, start).asDoubleBuffer().get(array, cell, STEP / 8);
          if (last.compareTo(Pass.DIGEST) >= 0) {
            digest.add(array, cell, STEP / 8);
          }
        }
      }
    }
    requireUse(sum, digest);
  }

  private ByteBuffer step(int thread, int start) {
    return pieces[thread].slice(start, STEP).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void requireUse(CRC32C sum, Digest digest) throws IOException {
    if (sum.getValue() + digest.first[0] + digest.second[0] == 1) {
      throw new IOException("never, but the sums must not be left out");
    }
  }

  private Path file(int thread) {
    return directory.resolve("passes." + thread);
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
