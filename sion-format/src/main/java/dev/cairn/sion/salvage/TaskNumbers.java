package dev.cairn.sion.salvage;

/** Where the numbers of the tasks of a broken multifile come from. */
public enum TaskNumbers {
  /** They are those that the writer gave. */
  AS_WRITTEN,

  /**
   * The mapping is gone, and the global ranks, which are 0 to the number of tasks without a gap,
   * stand for it. SIONlib gives its tasks no other numbers.
   */
  BY_GLOBAL_RANK,

  /** Nobody knows them: tasks are counted through the files that are there. */
  BY_FILE
}
