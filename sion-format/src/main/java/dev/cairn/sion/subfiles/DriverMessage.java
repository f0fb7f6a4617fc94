package dev.cairn.sion.subfiles;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * What the sub-filing driver left in the superblock.
 *
 * @param stripeSize the bytes of a stripe
 * @param subFileCount how many sub-files there are
 */
record DriverMessage(long stripeSize, long subFileCount) {
  static final String DRIVER = "Subfilin";
  private static final int MAGIC = 0xFED01331;
  private static final int VERSION = 1;

  /** Magic, version, the flag for concentrators, stripe size, count, length of the prefix. */
  private static final int LEAST_SIZE = 3 * Integer.BYTES + 3 * Long.BYTES;

  /** Reads the driver's part of a driver information block. */
  static DriverMessage read(Path path, ByteBuffer information) throws SubFileException {
    ByteBuffer fields = information.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (fields.remaining() < LEAST_SIZE) {
      throw new SubFileException(
          path,
          String.format(
              "the message of the sub-filing driver should have %d bytes at least, but has %d. Use"
                  + " another copy.",
              LEAST_SIZE, fields.remaining()));
    }
    int magic = fields.getInt();
    int version = fields.getInt();
    if (magic != MAGIC || version != VERSION) {
      throw new SubFileException(
          path,
          String.format(
              "the message of the sub-filing driver should begin with %x and version %d, but begins"
                  + " with %x and %d. Use another copy.",
              MAGIC, VERSION, magic, version));
    }
    fields.getInt(); // whether concentrators are required, which says nothing of the bytes
    return new DriverMessage(fields.getLong(), fields.getLong());
  }
}
