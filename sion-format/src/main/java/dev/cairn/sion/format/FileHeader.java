package dev.cairn.sion.format;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.Range;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * META1's fixed part, which opens every physical file. The order of the lines in {@link #fields} is
 * the order on disk.
 *
 * @param endiannessWord see {@link EndiannessWord}
 * @param libraryVersion 1000 times the major plus the minor version of the writing library
 * @param patchLevel the patch level of the writing library
 * @param version the file format
 * @param blockSize the file-system block size to which chunks are aligned
 * @param taskCount the tasks in this physical file
 * @param fileCount the physical files of the multifile
 * @param fileNumber which of them this is; a serial writer calls its only file 1
 * @param flag1 the key-value mode in the upper half
 * @param flag2 unused
 * @param prefix the name of file 0
 */
public record FileHeader(
    int endiannessWord,
    int libraryVersion,
    int patchLevel,
    FormatVersion version,
    int blockSize,
    int taskCount,
    int fileCount,
    int fileNumber,
    long flag1,
    long flag2,
    String prefix) {

  /** The initial value for reading. */
  public static final FileHeader BLANK = blank(FormatVersion.V5);

  /** The most tasks whose META1 stays below 2 GiB, the C library's limit. */
  public static final int MAX_TASK_COUNT = (Integer.MAX_VALUE - 1088) / 16;

  /** The longest name of file 0 whose longest physical file name the C library still takes. */
  public static final int MAX_NAME_BYTES = 1016;

  /** The name of the field whose values differ in what is to be done about a foreign one. */
  static final String VERSION = "file format version";

  private static final int PREFIX_WIDTH = 1024;
  private static final byte[] MAGIC = "sion".getBytes(StandardCharsets.US_ASCII);
  private static final int SERIAL_FILE_NUMBER = 1;

  static FileHeader blank(FormatVersion version) {
    return new FileHeader(0, 0, 0, version, 0, 0, 0, 0, 0, 0, "");
  }

  /** The field list. */
  public static <X extends Exception> FileHeader fields(FieldIo<X> io, FileHeader header) throws X {
    io.constant("magic", MAGIC);
    int endiannessWord = io.i32("endianness word", header.endiannessWord, Range.ANY);
    int libraryVersion = io.i32("library version", header.libraryVersion, Range.ANY);
    int patchLevel = io.i32("library patch level", header.patchLevel, Range.ANY);
    FormatVersion version =
        FormatVersion.of(io.i32(VERSION, header.version.number(), FormatVersion.NUMBERS));
    int blockSize = io.i32("fsblksize", header.blockSize, Range.atLeast(1));
    int taskCount = io.i32("ntasks", header.taskCount, new Range(1, MAX_TASK_COUNT));
    int fileCount = io.i32("nfiles", header.fileCount, Range.atLeast(1));
    boolean numbered = version.hasFileNumberAndFlags();
    return new FileHeader(
        endiannessWord,
        libraryVersion,
        patchLevel,
        version,
        blockSize,
        taskCount,
        fileCount,
        numbered
            ? io.i32("filenumber", header.fileNumber, fileNumbers(fileCount))
            : SERIAL_FILE_NUMBER,
        numbered ? io.i64("flag1", header.flag1, Range.ANY) : 0,
        numbered ? io.i64("flag2", header.flag2, Range.ANY) : 0,
        text(io.bytes("prefix", PREFIX_WIDTH, header.prefix.getBytes(StandardCharsets.UTF_8))));
  }

  /**
   * Names are bytes in C, ended by a zero unless they fill their field. One that is not valid UTF-8
   * keeps its bytes as Latin-1.
   */
  private static String text(byte[] bytes) {
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    ByteBuffer name = ByteBuffer.wrap(bytes, 0, length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(name.duplicate()).toString();
    } catch (CharacterCodingException notUtf8) {
      return StandardCharsets.ISO_8859_1.decode(name).toString();
    }
  }

  /** Whether a file that starts with {@code bytes} starts like a multifile. */
  public static boolean startsWithMagic(ByteBuffer bytes) {
    return bytes.remaining() >= MAGIC.length
        && bytes.slice(bytes.position(), MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  private static Range fileNumbers(int fileCount) {
    return new Range(0, Math.max(SERIAL_FILE_NUMBER, fileCount - 1));
  }

  /** What the tasks of this file hold. */
  public KeyValueMode keyValueMode() {
    return version.hasKeyValueMode() ? KeyValueMode.ofFlag(flag1) : KeyValueMode.NONE;
  }
}
