package dev.cairn.sion.netcdf;

/**
 * A dimension of variables.
 *
 * @param name its name
 * @param length how many indices it has; 0 says that it is unlimited: it has as many as there are
 *     records
 */
public record Dimension(String name, long length) {
  static final Dimension BLANK = new Dimension("", 0);

  /** Refuses a negative length. */
  public Dimension {
    if (length < 0) {
      throw new IllegalArgumentException(
          String.format("dimension %s should have a length of at least 0, not %d.", name, length));
    }
  }

  /** The dimension along which a file grows, by records. */
  public static Dimension unlimited(String name) {
    return new Dimension(name, 0);
  }

  public boolean isUnlimited() {
    return length == 0;
  }
}
