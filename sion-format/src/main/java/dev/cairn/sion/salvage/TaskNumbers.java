package dev.cairn.sion.salvage;

/** Where the numbers of the tasks of a broken multifile come from. */
public enum TaskNumbers {
  /** The mapping gives the numbers. */
  AS_WRITTEN,

  /**
   * The mapping is lost. The global ranks, which run from 0 without a gap, replace it: SIONlib
   * numbers tasks by global rank.
   */
  BY_GLOBAL_RANK,

  /** The numbers are lost: tasks are counted through the files that were found. */
  BY_FILE
}
