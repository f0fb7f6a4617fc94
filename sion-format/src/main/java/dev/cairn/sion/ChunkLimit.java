package dev.cairn.sion;

/** The part of its chunk that a task may use. */
public enum ChunkLimit {
  /** All of it. */
  STORED,
  /**
   * As many as it asked for, although the chunk is rounded up to whole blocks. The C library does
   * so after parreinit, by which tasks change their chunk sizes.
   */
  REQUESTED
}
