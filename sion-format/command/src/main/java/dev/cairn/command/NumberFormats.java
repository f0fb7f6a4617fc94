package dev.cairn.command;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Numbers as C's {@code printf} writes them. Java's own formatting differs: it rounds halves up,
 * where C rounds the exact value of a double to even.
 */
public final class NumberFormats {
  private static final int MEGABYTE_BITS = 20;
  private static final long REST = (1L << MEGABYTE_BITS) - 1;
  private static final long HALF = 1L << (MEGABYTE_BITS - 1);

  private NumberFormats() {}

  /** Bytes in units of 1024 * 1024, with two decimals; a single byte less than none is -0.00. */
  public static String megabytes(long bytes) {
    long size = Math.abs(bytes);
    long scaledRest = (size & REST) * 100;
    long hundredths = (size >> MEGABYTE_BITS) * 100 + (scaledRest >> MEGABYTE_BITS);
    long lost = scaledRest & REST;
    boolean roundsUp = lost > HALF || (lost == HALF && (hundredths & 1) != 0);
    return (bytes < 0 ? "-" : "") + BigDecimal.valueOf(roundsUp ? hundredths + 1 : hundredths, 2);
  }

  /** A share of {@code whole}, which is not 0, in percent with six decimals. */
  public static String percent(long part, long whole) {
    BigDecimal exact = new BigDecimal((double) part / whole * 100.0);
    return exact.setScale(6, RoundingMode.HALF_EVEN).toPlainString();
  }

  /** {@code number} with at least {@code width} characters, a sign among them. */
  public static String zeroFilled(long number, int width) {
    String sign = number < 0 ? "-" : "";
    String digits = Long.toString(number).substring(sign.length());
    return sign + "0".repeat(Math.max(0, width - sign.length() - digits.length())) + digits;
  }
}
