package dev.cairn.sion.subfiles;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The beginning of an HDF5 file, as far as it matters for sub-files.
 *
 * @param version of the superblock; 0 and 1 can hold a driver's message right behind it
 * @param size its bytes, with the driver information block if there is one
 * @param endOfFile the length of the HDF5 file
 * @param driver the message of the sub-filing driver
 */
record Superblock(int version, int size, long endOfFile, Optional<DriverMessage> driver) {
  /** A superblock of any version, a driver information block of the most bytes HDF5 gives it. */
  static final int LARGEST_SIZE = 2048;

  private static final byte[] SIGNATURE =
      "\u0089HDF\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1);
  private static final long UNDEFINED = -1;

  /** Later versions have the driver's message in an object header. */
  static final int LAST_WITH_DRIVER_BLOCK = 1;

  private static final int LAST_KNOWN = 3;

  /** Where the addresses of each version begin: base, another one, end of file, and a last one. */
  private static final int[] ADDRESSES = {24, 28, 12, 12};

  /** Where the superblock of each version ends. */
  private static final int[] SIZES = {96, 100, 48, 48};

  /** Where the size of an address stands in each version. */
  private static final int[] OFFSET_SIZES = {13, 13, 9, 9};

  /** Reads a superblock from the first bytes of a file, of which {@code head} may have more. */
  static Superblock read(Path path, ByteBuffer head) throws SubFileException {
    ByteBuffer bytes = head.slice().order(ByteOrder.LITTLE_ENDIAN);
    require(path, bytes, SIGNATURE.length + 1);
    if (!bytes.slice(0, SIGNATURE.length).equals(ByteBuffer.wrap(SIGNATURE))) {
      throw new SubFileException(
          path, "it does not begin as an HDF5 file does. Check the name, or use another copy.");
    }
    int version = Byte.toUnsignedInt(bytes.get(SIGNATURE.length));
    if (version > LAST_KNOWN) {
      throw new SubFileException(
          path,
          String.format(
              "its superblock has version %d, and versions 0 to %d are known: the file is damaged"
                  + " or too new for this program.",
              version, LAST_KNOWN));
    }
    require(path, bytes, SIZES[version]);
    requirePlainAddresses(path, bytes, version);
    long endOfFile = bytes.getLong(ADDRESSES[version] + 2 * Long.BYTES);
    if (endOfFile < SIZES[version]) {
      throw new SubFileException(
          path,
          String.format(
              "its superblock says that the file ends at byte %d. Use another copy.", endOfFile));
    }
    long driverAddress = bytes.getLong(ADDRESSES[version] + 3 * Long.BYTES);
    return version > LAST_WITH_DRIVER_BLOCK || driverAddress == UNDEFINED
        ? new Superblock(version, SIZES[version], endOfFile, Optional.empty())
        : withDriver(path, bytes, version, endOfFile, driverAddress);
  }

  private static void requirePlainAddresses(Path path, ByteBuffer bytes, int version)
      throws SubFileException {
    int offsetSize = bytes.get(OFFSET_SIZES[version]);
    long base = bytes.getLong(ADDRESSES[version]);
    if (offsetSize != Long.BYTES || base != 0) {
      throw new SubFileException(
          path,
          String.format(
              "its superblock has addresses of %d bytes from %d on, but only those of 8 bytes from"
                  + " 0 on are known here.",
              offsetSize, base));
    }
  }

  /** A driver information block: version, 3 unused bytes, size of the message, name, message. */
  private static Superblock withDriver(
      Path path, ByteBuffer bytes, int version, long endOfFile, long address)
      throws SubFileException {
    int header = 2 * Integer.BYTES + DriverMessage.DRIVER.length();
    if (address < SIZES[version] || address > LARGEST_SIZE - header) {
      throw new SubFileException(
          path,
          String.format(
              "its driver information should follow the superblock, but begins at byte %d. Use"
                  + " another copy.",
              address));
    }
    int start = (int) address;
    require(path, bytes, start + header);
    int size = bytes.getInt(start + Integer.BYTES);
    if (size < 0 || size > LARGEST_SIZE - header - start) {
      throw new SubFileException(
          path,
          String.format(
              "its driver information should have at most 1024 bytes, but has %d. Use another"
                  + " copy.",
              size));
    }
    int end = start + header + size;
    require(path, bytes, end);
    byte[] name = new byte[DriverMessage.DRIVER.length()];
    bytes.get(start + 2 * Integer.BYTES, name);
    String driver = new String(name, StandardCharsets.ISO_8859_1);
    Optional<DriverMessage> message =
        driver.equals(DriverMessage.DRIVER)
            ? Optional.of(DriverMessage.read(path, bytes.slice(start + header, size)))
            : Optional.empty();
    return new Superblock(version, end, endOfFile, message);
  }

  private static void require(Path path, ByteBuffer bytes, int size) throws SubFileException {
    if (bytes.limit() < size) {
      throw new SubFileException(
          path,
          String.format(
              "its superblock should have %d bytes, but only %d are there. Use another copy.",
              size, bytes.limit()));
    }
  }
}
