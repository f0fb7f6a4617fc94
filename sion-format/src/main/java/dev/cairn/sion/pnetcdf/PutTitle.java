package dev.cairn.sion.pnetcdf;

import java.nio.file.Path;

/**
 * How messages name a put.
 *
 * @param log the file that describes it
 * @param name its name in the log
 */
record PutTitle(Path log, String name) {
  static PutTitle of(BurstLog log, int number) {
    return new PutTitle(log.name().meta(), "put " + number);
  }

  /** That it is not for the NetCDF file that was named. */
  BurstLogException unfit(String reason) {
    return new BurstLogException(
        log,
        String.format(
            "%s is not for this file: %s. Name the file for which the logs were written.",
            name, reason));
  }
}
