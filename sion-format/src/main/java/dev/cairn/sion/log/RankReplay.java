package dev.cairn.sion.log;

import java.io.IOException;

/** The part of one log in a replay: it stands before a record, which no step has taken yet. */
final class RankReplay {
  private final LogReader log;
  private final LogCursor cursor;
  private final LogReplay.PutConsumer consumer;
  private boolean hasRecord;

  RankReplay(LogReader log, LogReplay.PutConsumer consumer) {
    this.log = log;
    this.cursor = log.cursor();
    this.consumer = consumer;
  }

  /** Up to the first record of the next collective, or to the end. */
  void independentPuts() throws IOException {
    while (stands() && !isOfCollective(cursor.record().entry())) {
      take();
    }
    log.rest();
  }

  /** Behind the record that ends the next collective. */
  void collective() throws IOException {
    boolean isOver = false;
    while (!isOver && stands()) {
      isOver = cursor.record().entry() instanceof LogEntry.Collective;
      take();
    }
    log.rest();
  }

  private boolean stands() throws IOException {
    hasRecord = hasRecord || cursor.advance();
    return hasRecord;
  }

  private void take() throws IOException {
    LogRecord record = cursor.record();
    if (record.entry() instanceof LogEntry.Put && !log.isCancelled(record.sequence())) {
      consumer.accept(log, record);
    }
    hasRecord = false;
  }

  private static boolean isOfCollective(LogEntry entry) {
    return entry instanceof LogEntry.Collective
        || (entry instanceof LogEntry.Put put && put.collective() != LogEntry.INDEPENDENT);
  }
}
