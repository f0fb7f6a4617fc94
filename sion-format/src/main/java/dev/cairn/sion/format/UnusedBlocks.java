package dev.cairn.sion.format;

/**
 * What a writer puts into META2 for a block that a task did not use. Any other value means that the
 * task's number of blocks is damaged, so a reader refuses it.
 */
public enum UnusedBlocks {
  ZERO(0),
  MINUS_ONE(-1);

  private final long value;

  UnusedBlocks(long value) {
    this.value = value;
  }

  /** The entry. */
  public long value() {
    return value;
  }
}
