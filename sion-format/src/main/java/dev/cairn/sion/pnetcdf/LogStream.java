package dev.cairn.sion.pnetcdf;

import java.nio.file.Path;

/**
 * The bytes of one process in a log file.
 *
 * @param path the file
 * @param sharing which bytes of the file they are
 * @param size how many bytes there are
 */
record LogStream(Path path, Sharing sharing, long size) {
  static LogStream of(Path path, Sharing sharing, long fileSize) {
    return new LogStream(path, sharing, sharing.size(fileSize));
  }
}
