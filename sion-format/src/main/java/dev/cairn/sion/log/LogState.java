package dev.cairn.sion.log;

/** How a log ends, as a reader found it. */
public sealed interface LogState {

  /** Behind a whole record: its writer has ended, was stopped, or goes on. */
  record Open() implements LogState {}

  /** Within its last record, which is cut off by the end of the file: its writer was stopped. */
  record Torn(LogBreak at) implements LogState {}

  /** At a place that no writer leaves so, wherever it was stopped. */
  record Damaged(LogBreak at) implements LogState {}
}
