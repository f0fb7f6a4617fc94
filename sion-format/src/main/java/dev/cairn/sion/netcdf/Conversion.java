package dev.cairn.sion.netcdf;

import java.util.function.IntConsumer;

/** Copies values between arrays and cells, and converts those of other types. */
final class Conversion {
  private Conversion() {}

  /** The index of the first value that no cell of {@code type} can have; -1 if all fit. */
  static int firstMisfit(Values values, NetcdfType type) {
    if (!type.holdsAll(values.type())) {
      for (int index = 0; index < values.count(); index++) {
        boolean fits =
            values.type().isFloating()
                ? type.holds(values.real(index))
                : type.holds(values.integer(index), values.type());
        if (!fits) {
          return index;
        }
      }
    }
    return -1;
  }

  /** Fills {@code target} with as many of {@code values}, all of which fit. */
  static void write(Values values, int from, Cells target) {
    if (values.type() == target.type()) {
      values.encode(from, target.count(), target.bytes());
    } else {
      for (int index = 0; index < target.count(); index++) {
        target.take(index, values, from + index);
      }
    }
  }

  /**
   * The same for values that need not fit: those that PnetCDF finds out of range become {@code
   * fill}, and their indices go to {@code misfits}.
   */
  static void writeFilling(Values values, Cells target, Cells fill, IntConsumer misfits) {
    NetcdfType type = target.type();
    boolean fitsAlways =
        type == values.type() || (type.holdsAll(values.type()) && !values.type().isFloating());
    if (fitsAlways) {
      write(values, 0, target);
      return;
    }
    for (int index = 0; index < target.count(); index++) {
      if (isEnclosed(values, index, type)) {
        target.take(index, values, index);
      } else {
        target.take(index, fill, 0);
        misfits.accept(index);
      }
    }
  }

  private static boolean isEnclosed(Values values, int index, NetcdfType type) {
    return values.type().isFloating()
        ? type.encloses(values.real(index))
        : type.holds(values.integer(index), values.type());
  }

  /** Takes all of {@code source}, which fit. */
  static void read(Cells source, Values values, int from) {
    if (values.type() == source.type()) {
      values.decode(from, source.count(), source.bytes());
    } else {
      for (int index = 0; index < source.count(); index++) {
        values.take(from + index, source, index);
      }
    }
  }

  /** Text is no number, and a number is no text. */
  static boolean isPossible(NetcdfType one, NetcdfType other) {
    return (one == NetcdfType.CHAR) == (other == NetcdfType.CHAR);
  }
}
