package dev.cairn.sion.log;

/** In which state a reader found a log. */
public sealed interface LogState {

  /** Its writer completed it, and every record is there. */
  record Sealed() implements LogState {}

  /** It ends behind a whole record, without a seal: its writer was stopped, or goes on. */
  record Open() implements LogState {}

  /**
   * It ends with something that is no whole record, and nothing shows that its writer had gone on
   * from there: its writer was stopped inside of a record.
   */
  record Torn(LogBreak at) implements LogState {}

  /** A place inside of it does not fit, although its writer had gone on from there. */
  record Damaged(LogBreak at) implements LogState {}
}
