package dev.cairn.sion.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What the operating system said of a failure. The JDK passes the words on, but not the error
 * number, and they are in the language of the user: so what can be looked at is looked at, and the
 * words of a full disk are learned from a device that is always full.
 */
final class SystemWords {
  private static final Path FULL_DEVICE = Path.of("/dev/full");
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_PATH = 4095;

  /** The JDK's own words behind those of the system, in any language. */
  private static final String OF_THE_JDK = " or unable to access attributes of symbolic link";

  private final String words;

  private SystemWords(String words) {
    this.words = words;
  }

  static SystemWords of(IOException failure) {
    String words =
        failure instanceof FileSystemException named ? named.getReason() : failure.getMessage();
    return new SystemWords(Optional.ofNullable(words).orElseGet(failure::toString));
  }

  /** Of a quota most languages have the same word. */
  boolean tellOfNoRoom() {
    return words.contains("No space left")
        || words.toLowerCase(Locale.ROOT).contains("quota")
        || words.equals(OfFullDisk.WORDS);
  }

  boolean tellOfNoRight() {
    return words.contains("Read-only file system") || words.contains("Operation not permitted");
  }

  /** Whether the name itself is refused: it is too long, or its links lead in a circle. */
  boolean tellOfName(Path path) {
    for (Path name : path) {
      if (name.toString().getBytes(UTF_8).length > LONGEST_NAME) {
        return true;
      }
    }
    return path.toString().getBytes(UTF_8).length > LONGEST_PATH || words.endsWith(OF_THE_JDK);
  }

  /** Whether a file stands where {@code path} needs a directory. */
  static boolean isBelowFile(Path path) {
    for (Path above = path.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return !Files.isDirectory(above);
      }
    }
    return false;
  }

  /** Whether the file system of {@code path}, which may not exist, takes no changes at all. */
  static boolean isReadOnly(Path path) {
    for (Path place = path.toAbsolutePath(); place != null; place = place.getParent()) {
      try {
        return Files.getFileStore(place).isReadOnly();
      } catch (IOException missing) {
        // The directory above it is in the same file system, unless it is a mount point.
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return words;
  }

  /** Looked at when the first failure has unknown words. */
  private static final class OfFullDisk {
    static final String WORDS = ask();

    private static String ask() {
      if (!Files.isWritable(FULL_DEVICE)) {
        return "";
      }
      try (FileOutputStream full = new FileOutputStream(FULL_DEVICE.toFile())) {
        full.write(0);
        return "";
      } catch (IOException failure) {
        return of(failure).words;
      }
    }
  }
}
