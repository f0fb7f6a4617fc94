package dev.cairn.redistribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * Cells in a program's own array, or as little-endian bytes, seen without their type. In bytes a
 * boolean is 0 or 1, and every other value its bits, those of a NaN unchanged. Nothing is boxed or
 * copied aside. Holds the array and owns nothing; as safe for threads as the array is.
 */
public final class Cells {
  private final int elementSize;
  private final boolean inMemory;
  private final Function<ByteBuffer, Runs.Visitor> writing;
  private final Function<ByteBuffer, Runs.Visitor> reading;
  private final Function<CellDigester, Runs.Visitor> digesting;

  Cells(
      int elementSize,
      boolean inMemory,
      Function<ByteBuffer, Runs.Visitor> writing,
      Function<ByteBuffer, Runs.Visitor> reading,
      Function<CellDigester, Runs.Visitor> digesting) {
    this.elementSize = elementSize;
    this.inMemory = inMemory;
    this.writing = writing;
    this.reading = reading;
    this.digesting = digesting;
  }

  /** The size of a cell in bytes. */
  public int elementSize() {
    return elementSize;
  }

  /** Whether any thread may copy from here, since nothing is read for that. */
  public boolean isInMemory() {
    return inMemory;
  }

  /** Copies runs from here into {@code bytes}; position 0 there is the buffer's own position. */
  public void copyTo(ByteBuffer bytes, Runs runs) {
    runs.forEach(writing.apply(littleEndian(bytes)));
  }

  /** Copies runs from {@code bytes} to here; position 0 there is the buffer's own position. */
  public void copyFrom(ByteBuffer bytes, Runs runs) {
    runs.forEach(reading.apply(littleEndian(bytes)));
  }

  /** Adds runs to a digest; their positions there are the global numbers of the cells. */
  public void digest(CellDigester digester, Runs runs) {
    runs.forEach(digesting.apply(digester));
  }

  /**
   * Copies single cells into {@code bytes}, one after another from its own position on.
   *
   * @param cells the numbers of the cells, of which those from {@code from} until {@code to} count
   */
  public void gather(int[] cells, int from, int to, ByteBuffer bytes) {
    Runs.Visitor target = writing.apply(littleEndian(bytes));
    for (int next = from, end; next < to; next = end) {
      end = next + 1;
      while (end < to && cells[end] == cells[end - 1] + 1) {
        end++;
      }
      target.visit(cells[next], next - from, end - next);
    }
  }

  /**
   * The same cells as they are in bytes where each is a number of a narrower type. They are copied
   * and digested in the narrower form, so they must have been widened from it.
   */
  public Cells storedAs(Widening widening) {
    return widening.isNone() ? this : new NarrowForm(this, widening).cells();
  }

  Runs.Visitor writer(ByteBuffer littleEndian) {
    return writing.apply(littleEndian);
  }

  Runs.Visitor reader(ByteBuffer littleEndian) {
    return reading.apply(littleEndian);
  }

  private static ByteBuffer littleEndian(ByteBuffer bytes) {
    return bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Little-endian bytes from the buffer's position to its limit. */
  public static Cells of(ByteBuffer bytes, int elementSize) {
    ByteBuffer cells = bytes.slice();
    int size = elementSize;
    return new Cells(
        size,
        true,
        target ->
            (here, there, count) ->
                target.put(at(there, size), cells, at(here, size), at(count, size)),
        source ->
            (here, there, count) ->
                cells.put(at(here, size), source, at(there, size), at(count, size)),
        digester ->
            (here, there, count) -> digester.add(cells, size, Math.toIntExact(here), count, there));
  }

  /** Reads bytes that are not in memory. */
  @FunctionalInterface
  public interface Source {
    /** Fills {@code target} with the bytes from {@code position} on. */
    void read(long position, ByteBuffer target);
  }

  /**
   * Little-endian bytes that {@code source} reads. They can be copied from here, and not to here.
   */
  public static Cells of(Source source, int elementSize) {
    int size = elementSize;
    return new Cells(
        size,
        false,
        target ->
            (here, there, count) ->
                source.read(here * size, target.slice(at(there, size), at(count, size))),
        bytes -> unsupported(),
        digester -> unsupported());
  }

  private static Runs.Visitor unsupported() {
    throw new UnsupportedOperationException("cells that are in no array are only copied from.");
  }

  /**
   * Cells whose {@code bits} are in no array, such as the fields of objects. They can be copied
   * from here, not to here.
   */
  public static Cells of(CellDigester.Load bits, int elementSize) {
    Put put = put(elementSize);
    return new Cells(
        elementSize,
        true,
        target ->
            (here, there, count) -> {
              long[] line = CellDigester.line();
              for (int done = 0, part; done < count; done += part) {
                part = Math.min(line.length, count - done);
                bits.cells(line, 0, (int) here + done, part);
                put.put(line, part, target, at(there + done, elementSize));
              }
            },
        source -> unsupported(),
        digester -> (here, there, count) -> digester.add(bits, (int) here, count, there));
  }

  /** Puts the first {@code count} cells of a line into bytes, from {@code index} on. */
  private interface Put {
    void put(long[] line, int count, ByteBuffer target, int index);
  }

  private static Put put(int elementSize) {
    return switch (elementSize) {
      case Byte.BYTES ->
          (line, count, target, index) -> {
            for (int cell = 0; cell < count; cell++) {
              target.put(index + cell, (byte) line[cell]);
            }
          };
      case Short.BYTES ->
          (line, count, target, index) -> {
            for (int cell = 0; cell < count; cell++) {
              target.putShort(index + cell * Short.BYTES, (short) line[cell]);
            }
          };
      case Integer.BYTES ->
          (line, count, target, index) -> {
            for (int cell = 0; cell < count; cell++) {
              target.putInt(index + cell * Integer.BYTES, (int) line[cell]);
            }
          };
      default ->
          (line, count, target, index) -> {
            for (int cell = 0; cell < count; cell++) {
              target.putLong(index + cell * Long.BYTES, line[cell]);
            }
          };
    };
  }

  /**
   * Little-endian bytes that go on from one buffer to the next, all of which but the last hold the
   * same number of whole cells; so there may be more of them than one buffer can hold.
   */
  public static Cells of(List<ByteBuffer> buffers, int elementSize) {
    List<Cells> parts = buffers.stream().map(part -> of(part, elementSize)).toList();
    if (parts.size() == 1) {
      return parts.get(0);
    }
    long partCells = parts.isEmpty() ? 1 : buffers.get(0).remaining() / elementSize;
    return new Cells(
        elementSize,
        true,
        target -> joined(parts, partCells, part -> part.writing.apply(target)),
        source -> joined(parts, partCells, part -> part.reading.apply(source)),
        digester -> joined(parts, partCells, part -> part.digesting.apply(digester)));
  }

  /** Cuts each run where one part ends and the next begins. */
  private static Runs.Visitor joined(
      List<Cells> parts, long partCells, Function<Cells, Runs.Visitor> visitorOf) {
    List<Runs.Visitor> visitors = parts.stream().map(visitorOf).toList();
    return (here, there, count) -> {
      for (int done = 0, length; done < count; done += length) {
        long start = (here + done) % partCells;
        length = (int) Math.min(count - done, partCells - start);
        visitors.get((int) ((here + done) / partCells)).visit(start, there + done, length);
      }
    };
  }

  private static int at(long cell, int elementSize) {
    return Math.toIntExact(cell * elementSize);
  }

  /** Copies between an array, from {@code here} on, and a view of bytes, from {@code there} on. */
  private interface Copy<B> {
    void move(B view, int there, int here, int count);
  }

  /** The cells of an array, of which {@code bits} are digested. */
  private static <B> Cells ofArray(
      int size,
      Function<ByteBuffer, B> viewOf,
      Copy<B> write,
      Copy<B> read,
      CellDigester.Load bits) {
    return new Cells(
        size,
        true,
        bytes -> copying(viewOf.apply(bytes), write),
        bytes -> copying(viewOf.apply(bytes), read),
        digester -> (here, there, count) -> digester.add(bits, (int) here, count, there));
  }

  private static <B> Runs.Visitor copying(B view, Copy<B> copy) {
    return (here, there, count) -> copy.move(view, (int) there, (int) here, count);
  }

  public static Cells of(boolean[] array) {
    return ofArray(
        Byte.BYTES,
        bytes -> bytes,
        (target, there, here, count) -> {
          for (int cell = 0; cell < count; cell++) {
            target.put(there + cell, (byte) (array[here + cell] ? 1 : 0));
          }
        },
        (source, there, here, count) -> {
          for (int cell = 0; cell < count; cell++) {
            array[here + cell] = source.get(there + cell) != 0;
          }
        },
        (bits, place, from, count) -> {
          for (int cell = 0; cell < count; cell++) {
            bits[place + cell] = array[from + cell] ? 1 : 0;
          }
        });
  }

  public static Cells of(byte[] array) {
    return ofArray(
        Byte.BYTES,
        bytes -> bytes,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> {
          for (int cell = 0; cell < count; cell++) {
            bits[place + cell] = Byte.toUnsignedLong(array[from + cell]);
          }
        });
  }

  public static Cells of(short[] array) {
    return ofArray(
        Short.BYTES,
        ByteBuffer::asShortBuffer,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> {
          for (int cell = 0; cell < count; cell++) {
            bits[place + cell] = Short.toUnsignedLong(array[from + cell]);
          }
        });
  }

  public static Cells of(char[] array) {
    return ofArray(
        Character.BYTES,
        ByteBuffer::asCharBuffer,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> {
          for (int cell = 0; cell < count; cell++) {
            bits[place + cell] = array[from + cell];
          }
        });
  }

  public static Cells of(int[] array) {
    return ofArray(
        Integer.BYTES,
        ByteBuffer::asIntBuffer,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> {
          for (int cell = 0; cell < count; cell++) {
            bits[place + cell] = Integer.toUnsignedLong(array[from + cell]);
          }
        });
  }

  public static Cells of(long[] array) {
    return ofArray(
        Long.BYTES,
        ByteBuffer::asLongBuffer,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> System.arraycopy(array, from, bits, place, count));
  }

  public static Cells of(float[] array) {
    return ofArray(
        Float.BYTES,
        ByteBuffer::asFloatBuffer,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> {
          for (int cell = 0; cell < count; cell++) {
            bits[place + cell] =
                Integer.toUnsignedLong(Float.floatToRawIntBits(array[from + cell]));
          }
        });
  }

  public static Cells of(double[] array) {
    return ofArray(
        Double.BYTES,
        ByteBuffer::asDoubleBuffer,
        (target, there, here, count) -> target.put(there, array, here, count),
        (source, there, here, count) -> source.get(there, array, here, count),
        (bits, place, from, count) -> Doubles.ofThread().bits(array, from, bits, place, count));
  }

  /**
   * A line of doubles outside of the heap, which is read as their bits: two copies take half as
   * long as a loop over {@code doubleToRawLongBits}, which JDK 17 does not put into vectors.
   */
  private static final class Doubles {
    private static final ThreadLocal<Doubles> OF_THREAD = ThreadLocal.withInitial(Doubles::new);

    private final DoubleBuffer doubles;
    private final LongBuffer longs;

    private Doubles() {
      ByteBuffer line = ByteBuffer.allocateDirect(CellSums.LINE_CELLS * Double.BYTES);
      line.order(ByteOrder.nativeOrder());
      doubles = line.asDoubleBuffer();
      longs = line.asLongBuffer();
    }

    static Doubles ofThread() {
      return OF_THREAD.get();
    }

    void bits(double[] array, int from, long[] bits, int place, int count) {
      doubles.put(0, array, from, count);
      longs.get(0, bits, place, count);
    }
  }
}
