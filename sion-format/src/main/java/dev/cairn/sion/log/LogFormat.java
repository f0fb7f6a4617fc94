package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The numbers of the format that the reader and the writer share. */
final class LogFormat {
  /** The first 8 bytes of a segment, read as a little-endian integer. */
  static final long MAGIC =
      ByteBuffer.wrap("CAIRNLOG".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();

  static final int VERSION = 1;
  static final int SEGMENT_HEAD_SIZE = 64;
  static final int ALIGNMENT = 8;

  /** The head of a note without text. */
  static final int LEAST_HEAD_SIZE = 48;

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
}
