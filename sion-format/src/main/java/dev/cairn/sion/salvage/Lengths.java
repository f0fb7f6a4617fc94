package dev.cairn.sion.salvage;

/**
 * Which length is taken for a task whose writer left none: it wrote something between the two. They
 * are equal where the bytes leave no doubt.
 */
public enum Lengths {
  /**
   * What is there for certain: of records the whole ones, of plain bytes those up to the last one
   * of each chunk that is not zero.
   */
  LEAST,

  /**
   * All that can be there: a last record also if it ends in zeros, which may never have been
   * written; of plain bytes whole chunks, up to the end of the file.
   */
  MOST
}
