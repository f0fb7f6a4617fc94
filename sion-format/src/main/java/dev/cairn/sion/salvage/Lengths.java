package dev.cairn.sion.salvage;

/**
 * Which bound counts as the length of a task in an unclosed file. Both bounds are equal where the
 * bytes determine the length.
 */
public enum Lengths {
  /**
   * The lower bound. It counts whole records; of plain bytes, those of each chunk up to the last
   * one that is not zero.
   */
  LEAST,

  /**
   * The upper bound. It also counts a last record that ends in zeros, which may never have been
   * written; of plain bytes, whole chunks up to the end of the file.
   */
  MOST
}
