package dev.cairn.sion.subfiles;

/** What becomes of a set that is not complete. */
public enum MissingBytes {
  /** It is refused. */
  REFUSE,

  /** It is read; bytes that are not there are holes, and to read a hole is refused. */
  ALLOW
}
