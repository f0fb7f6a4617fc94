package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/** How far a log has come, and thus which entries may follow. Readers and the writer keep one. */
final class LogProgress {
  private final CRC32C checksums = new CRC32C();
  private final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long recordCount;
  private long payloadBytes;
  private long lastCollective;
  private long lastEpoch = -1;
  private boolean inCollective;
  private boolean isSealed;

  long recordCount() {
    return recordCount;
  }

  long nextSequence() {
    return recordCount + 1;
  }

  long payloadBytes() {
    return payloadBytes;
  }

  /** The number of the last collective that ended, or 0. */
  long lastCollective() {
    return lastCollective;
  }

  boolean isSealed() {
    return isSealed;
  }

  /** The seal that fits here. */
  LogEntry.Seal seal() {
    return new LogEntry.Seal(recordCount, payloadBytes, (int) checksums.getValue());
  }

  /** Counts a record to which there was no objection. */
  void add(RecordHead head) {
    recordCount++;
    payloadBytes += head.payloadSize();
    checksums.update(word.clear().putInt(head.checksum()).flip());
    LogEntry entry = head.entry();
    if (entry instanceof LogEntry.Put put) {
      inCollective = put.collective() != LogEntry.INDEPENDENT;
    } else if (entry instanceof LogEntry.Collective collective) {
      lastCollective = collective.number();
      inCollective = false;
    } else if (entry instanceof LogEntry.Barrier barrier) {
      lastEpoch = barrier.epoch();
    } else if (entry instanceof LogEntry.Seal) {
      isSealed = true;
    }
  }

  /** Why {@code entry} cannot come next; empty if it can. */
  Optional<String> objection(LogEntry entry) {
    if (isSealed) {
      return Optional.of("nothing should follow a seal, but there is a record");
    }
    if (entry instanceof LogEntry.Put put) {
      return objectionToPut(put.collective());
    }
    if (entry instanceof LogEntry.Collective collective) {
      return unless(
          collective.number() == lastCollective + 1,
          "collective %d should follow, but %d does",
          lastCollective + 1,
          collective.number());
    }
    if (entry instanceof LogEntry.Cancel cancel) {
      return unless(
          cancel.sequence() < nextSequence(),
          "record %d can only cancel earlier ones, but names record %d",
          nextSequence(),
          cancel.sequence());
    }
    if (entry instanceof LogEntry.Barrier barrier) {
      return objectionToBarrier(barrier.epoch());
    }
    return entry instanceof LogEntry.Seal seal ? objectionToSeal(seal) : Optional.empty();
  }

  private Optional<String> objectionToPut(long collective) {
    if (collective == LogEntry.INDEPENDENT) {
      return objectionInCollective("an independent put");
    }
    return unless(
        collective == lastCollective + 1,
        "a put of collective %d should follow, but one of collective %d does",
        lastCollective + 1,
        collective);
  }

  private Optional<String> objectionToBarrier(long epoch) {
    if (epoch <= lastEpoch) {
      return Optional.of(
          String.format("an epoch after %d should follow, but %d does", lastEpoch, epoch));
    }
    return objectionInCollective("a barrier");
  }

  private Optional<String> objectionToSeal(LogEntry.Seal seal) {
    return unless(seal.equals(seal()), "the seal should be %s, but is %s", seal(), seal)
        .or(() -> objectionInCollective("a seal"));
  }

  private Optional<String> objectionInCollective(String what) {
    return unless(
        !inCollective, "collective %d should end first, but %s follows", lastCollective + 1, what);
  }

  @SuppressWarnings("AnnotateFormatMethod") // as in Misfit
  private static Optional<String> unless(boolean isLegal, String format, Object... arguments) {
    return isLegal ? Optional.empty() : Optional.of(String.format(format, arguments));
  }
}
