package dev.cairn.sion.log;

import dev.cairn.sion.field.Misfit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The numbers of the format that the reader and the writer share. */
final class LogFormat {
  /** How a segment begins. */
  static final byte[] MAGIC = "CAIRNLOG".getBytes(StandardCharsets.US_ASCII);

  static final int VERSION = 2;
  static final int ALIGNMENT = 8;

  /** A damaged size can make a reader allocate this much, and no more. */
  static final int MOST_HEAD_SIZE = 1 << 20;

  /** Each frame of a payload has a checksum of its own, so that a part of it can be verified. */
  static final int FRAME_SIZE = 1 << 20;

  static final long MOST_PAYLOAD_SIZE = (long) MOST_HEAD_SIZE / Integer.BYTES * FRAME_SIZE;

  /** A note is read whole. */
  static final int MOST_NOTE_SIZE = 1 << 16;

  private LogFormat() {}

  /** The least multiple of 8 that is at least {@code size}. */
  static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  static int frameCount(long payloadSize) {
    return Math.toIntExact((payloadSize + FRAME_SIZE - 1) / FRAME_SIZE);
  }

  /** CRC32C of what remains in {@code bytes}, which stays as it is. */
  static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }

  /** Puts the CRC32C of all bytes before it into the last 4 bytes before {@code end}. */
  static void seal(ByteBuffer bytes, int end) {
    int size = end - Integer.BYTES;
    bytes.putInt(size, checksum(bytes.slice(0, size)));
  }

  /** Refuses {@code part} unless its last 4 bytes are the CRC32C of those before them. */
  static void requireChecksum(String part, ByteBuffer bytes) throws Misfit {
    int size = bytes.limit() - Integer.BYTES;
    int expected = bytes.getInt(size);
    int found = checksum(bytes.slice(0, size));
    if (found != expected) {
      throw new Misfit(0, "%s should have the CRC32C %08x, but has %08x", part, expected, found);
    }
  }
}
