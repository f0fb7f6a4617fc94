package dev.cairn.sion;

/** When a writer makes its bytes durable. */
public enum ForcePolicy {
  /**
   * Before META1 points to META2, and after. A multifile that was closed survives a power loss; one
   * that was not closed never looks as if it had been.
   */
  ON_CLOSE,
  /**
   * Never: the operating system decides when bytes are written. For files that may be lost with the
   * machine.
   */
  NEVER
}
