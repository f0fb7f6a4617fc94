package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.MemoryReader;
import dev.cairn.sion.field.MemoryWriter;
import dev.cairn.sion.field.Misfit;
import dev.cairn.sion.field.Range;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The header of a metadata log.
 *
 * <p>Its numbers of entries and dimensions are given as they lie in the file. PnetCDF stores the
 * number of entries at byte 56, also since another field lies there: so in all layouts but A,
 * {@code entryBegin} is that number as soon as there was a put, {@code entryCount} is 0, and {@code
 * maxDimensions} is either 0 or stands in other fields.
 *
 * @param layout which of the layouts it has
 * @param order the byte order of the machine that wrote the log
 * @param rankCount how many processes had the file open
 * @param rank the process that wrote the log
 * @param maxDimensions the field {@code max_ndims}
 * @param entryCount the field {@code num_entries}
 * @param entryBegin the field {@code entry_begin}
 * @param target the absolute path of the NetCDF file
 * @param processor the name of the host; empty in layout A, which has none
 * @param size the bytes of the header
 */
public record MetaHeader(
    Layout layout,
    ByteOrder order,
    int rankCount,
    int rank,
    long maxDimensions,
    long entryCount,
    long entryBegin,
    String target,
    String processor,
    int size) {

  /** How both files of a log begin. The digit has never changed. */
  static final byte[] MAGIC = ascii("PnetCDF0");

  /** The same for all versions of NetCDF files. */
  private static final byte[] FORMAT = ascii("CDF0\0\0\0\0");

  private static final byte[] END_OF_NAME = {0};
  private static final byte[] NO_BYTES = {};

  private static final int DELETE = 0x7f;
  private static final int ORDER_OFFSET = 16;
  private static final int BEGIN_OFFSET_OF_A = 40;
  private static final int MOST_TARGET_SIZE = 1 << 16;
  private static final int MOST_PROCESSOR_SIZE = 1024;

  /** No header is larger. */
  static final int MOST_SIZE = MOST_TARGET_SIZE + MOST_PROCESSOR_SIZE + 1024;

  /**
   * The header of a log without entries, as PnetCDF writes it first.
   *
   * @throws IllegalArgumentException if there is no such rank, or a name is empty or too long
   */
  public static MetaHeader ofNewLog(
      Layout layout, ByteOrder order, int rankCount, int rank, String target, String processor) {
    if (rank < 0 || rank >= rankCount) {
      throw new IllegalArgumentException(
          String.format("rank %d of %d: ranks count from 0.", rank, rankCount));
    }
    String stored = layout.hasProcessor() ? processor : "";
    int targetSize = checkedSize("target", target, 1, MOST_TARGET_SIZE);
    int least = layout.hasProcessor() ? 1 : 0;
    int processorSize = checkedSize("processor", stored, least, MOST_PROCESSOR_SIZE);
    int size = layout.headerSize(targetSize, processorSize);
    return new MetaHeader(layout, order, rankCount, rank, 0, 0, size, target, stored, size);
  }

  private static int checkedSize(String name, String text, int least, int most) {
    int size = sizeOf(text);
    if (size < least || size > most || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          String.format("the name of the %s has 1 to %d printable bytes.", name, most));
    }
    return size;
  }

  private static int sizeOf(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The order of the lines below is the order on disk. */
  private static <X extends Exception> MetaHeader fields(FieldIo<X> io, MetaHeader header)
      throws X {
    Layout layout = header.layout;
    int bigEndian = header.order == ByteOrder.BIG_ENDIAN ? 1 : 0;
    io.constant("magic", MAGIC);
    io.constant("format", FORMAT);
    io.i32("big_endian", bigEndian, Range.exactly(bigEndian));
    io.i32("is_external", 0, Range.exactly(0));
    int rankCount = (int) io.i64("num_ranks", header.rankCount, new Range(1, Integer.MAX_VALUE));
    int rank = (int) io.i64("rank_id", header.rank, new Range(0, rankCount - 1L));
    long beginOfA =
        layout.hasCountInPlace() ? io.i64("entry_begin", header.entryBegin, Range.ANY) : 0;
    long maxDimensions = io.i64("max_ndims", header.maxDimensions, Range.ANY);
    long entryCount = io.i64("num_entries", header.entryCount, Range.ANY);
    long entryBegin =
        layout.hasCountInPlace() ? beginOfA : io.i64("entry_begin", header.entryBegin, Range.ANY);
    int targetSize = sizeOfTarget(io, header);
    String target = text(io, "the name of the target", targetSize, header.target);
    int processorSize = layout.hasProcessor() ? sizeOfProcessor(io, header) : 0;
    String processor = text(io, "the name of the processor", processorSize, header.processor);
    if (layout.hasProcessor()) {
      io.constant("the end of the processor's name", END_OF_NAME);
    }
    int size = layout.headerSize(targetSize, processorSize);
    io.bytes("padding", size - (int) io.position(), NO_BYTES);
    return new MetaHeader(
        layout,
        header.order,
        rankCount,
        rank,
        maxDimensions,
        entryCount,
        entryBegin,
        target,
        processor,
        size);
  }

  private static <X extends Exception> int sizeOfTarget(FieldIo<X> io, MetaHeader header) throws X {
    String name = "the length of the target's name";
    int size = sizeOf(header.target);
    return header.layout.lengthSize() == Long.BYTES
        ? (int) io.i64(name, size, new Range(1, MOST_TARGET_SIZE))
        : io.i32(name, size, new Range(1, MOST_TARGET_SIZE));
  }

  private static <X extends Exception> int sizeOfProcessor(FieldIo<X> io, MetaHeader header)
      throws X {
    io.constant("the end of the target's name", END_OF_NAME);
    return io.i32(
        "the length of the processor's name",
        sizeOf(header.processor),
        new Range(1, MOST_PROCESSOR_SIZE));
  }

  private static <X extends Exception> String text(
      FieldIo<X> io, String name, int size, String value) throws X {
    long start = io.position();
    byte[] found = io.bytes(name, size, value.getBytes(StandardCharsets.UTF_8));
    for (int index = 0; index < size; index++) {
      int unit = Byte.toUnsignedInt(found[index]);
      if (unit < ' ' || unit == DELETE) {
        String sentence = String.format("%s should go on, but has the byte %02x", name, unit);
        throw io.misfit(start + index, sentence);
      }
    }
    return new String(found, StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The bytes on disk. */
  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(order);
    fields(new MemoryWriter(bytes), this);
    return bytes.flip();
  }

  /**
   * The header with which {@code bytes}, the first ones of a log, begin if they have this layout.
   */
  static MetaHeader decoded(Layout layout, ByteBuffer bytes) throws Misfit {
    ByteOrder order = orderOf(bytes);
    MetaHeader blank = new MetaHeader(layout, order, 1, 0, 0, 0, 0, "", "", 0);
    MetaHeader header = fields(new MemoryReader(bytes.slice().order(order), 0), blank);
    if (layout.hasCountInPlace() && header.entryBegin != header.size) {
      throw new Misfit(
          BEGIN_OFFSET_OF_A, "entry_begin should be %d, but is %d", header.size, header.entryBegin);
    }
    return header;
  }

  /** Little-endian unless there is a one at its big-endian place. */
  private static ByteOrder orderOf(ByteBuffer bytes) {
    boolean isBigEndian =
        bytes.limit() >= ORDER_OFFSET + Integer.BYTES
            && bytes.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(ORDER_OFFSET) == 1;
    return isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  /** What the writer stored as the number of entries. */
  long storedCount() {
    return layout.hasCountInPlace() ? entryCount : entryBegin;
  }

  /**
   * The layouts that the header of a metadata log has had. The header is a structure of C as it
   * lies in memory, followed by names; nothing in it says which layout it has.
   */
  public enum Layout {
    /** PnetCDF 1.10.0. */
    A("1.10.0", Integer.BYTES, 72, 4),

    /** PnetCDF 1.11.0 to 1.12.2. */
    B1("1.11.0 to 1.12.2", Integer.BYTES, 72, 4),

    /** PnetCDF 1.12.3. */
    B2("1.12.3", Integer.BYTES, 72, 16),

    /** PnetCDF 1.13.0 and later. */
    C("1.13.0 and later", Long.BYTES, 80, 16);

    /** Where the writer stores the number of entries, whatever field of the layout lies there. */
    static final int COUNT_OFFSET = 56;

    private final String releases;
    private final int lengthSize;
    private final int structureSize;
    private final int alignment;

    Layout(String releases, int lengthSize, int structureSize, int alignment) {
      this.releases = releases;
      this.lengthSize = lengthSize;
      this.structureSize = structureSize;
      this.alignment = alignment;
    }

    /** The releases of PnetCDF that write it. */
    public String releases() {
      return releases;
    }

    /** Whether the name of the processor follows that of the target. */
    boolean hasProcessor() {
      return this != A;
    }

    /**
     * Whether the field where the count is stored has that meaning; later layouts moved the field.
     */
    boolean hasCountInPlace() {
      return this == A;
    }

    /** The bytes of the length of the target's name. */
    int lengthSize() {
      return lengthSize;
    }

    /** Where a second {@code enddef} stores the most dimensions of a variable: a wrong place. */
    int dimensionsOffset() {
      return structureSize - (lengthSize == Long.BYTES ? 25 : 21);
    }

    /** The bytes of a header with names of these lengths. */
    int headerSize(int targetLength, int processorLength) {
      int names =
          hasProcessor() ? targetLength + 1 + Integer.BYTES + processorLength + 1 : targetLength;
      return (structureSize + names + alignment - 1) / alignment * alignment;
    }
  }
}
