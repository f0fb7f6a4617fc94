package dev.cairn.sion.log;

/**
 * What log to create. Immutable: each {@code with…} gives a changed copy.
 *
 * @param log whose log it is
 * @param forcePolicy when records become durable
 * @param segmentLimit the bytes after which a new segment begins; a record that is larger has one
 *     of its own
 */
public record LogSpec(LogIdentity log, LogForcePolicy forcePolicy, long segmentLimit) {
  private static final long USUAL_SEGMENT_LIMIT = 256L << 20;

  public LogSpec {
    if (segmentLimit < 1) {
      throw new IllegalArgumentException(
          "a segment has a limit of at least 1 byte, not " + segmentLimit + ".");
    }
  }

  /** A log of segments of 256 MiB, which is forced when it is sealed. */
  public static LogSpec of(LogIdentity log) {
    return new LogSpec(log, LogForcePolicy.ON_SEAL, USUAL_SEGMENT_LIMIT);
  }

  public LogSpec withForcePolicy(LogForcePolicy policy) {
    return new LogSpec(log, policy, segmentLimit);
  }

  public LogSpec withSegmentLimit(long bytes) {
    return new LogSpec(log, forcePolicy, bytes);
  }
}
