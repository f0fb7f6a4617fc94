package dev.cairn.sion;

/** What the tasks' streams hold. */
public enum Content {
  /** Plain bytes, whose meaning only the program knows. */
  BYTES,
  /** Records of a 64-bit key and a value; C calls it key-value mode, inline. */
  RECORDS
}
