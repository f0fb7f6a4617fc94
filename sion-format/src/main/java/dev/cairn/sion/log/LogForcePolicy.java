package dev.cairn.sion.log;

/** When a log makes its records durable. It stands in the log, so a reader knows what to expect. */
public enum LogForcePolicy {
  /** Never: the operating system decides. A power failure can damage the log at any place. */
  NEVER(0),
  /** A segment when it is full, and everything when the log is sealed. */
  ON_SEAL(1),
  /** Each record before the call that appends it returns. */
  ON_RECORD(2);

  private final int code;

  LogForcePolicy(int code) {
    this.code = code;
  }

  /** The number on disk. */
  int code() {
    return code;
  }

  /** {@code code} is one of 0 to 2. */
  static LogForcePolicy of(int code) {
    return values()[code];
  }
}
