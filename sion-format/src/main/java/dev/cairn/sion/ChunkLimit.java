package dev.cairn.sion;

/** How many bytes of its chunk a task may use. */
public enum ChunkLimit {
  /** All of it. */
  STORED,
  /**
   * As many as it asked for, although the chunk is rounded up to whole blocks. The C library does
   * so after its parreinit, with which tasks change their minds about their chunk sizes.
   */
  REQUESTED
}
