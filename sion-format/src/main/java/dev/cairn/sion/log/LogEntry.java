package dev.cairn.sion.log;

/** What a record says. */
public sealed interface LogEntry {

  /** The number in {@link Put#collective} of puts that belong to no collective. */
  long INDEPENDENT = 0;

  /**
   * Cells are written; the payload has their values.
   *
   * @param collective the collective to which the put belongs, or {@link #INDEPENDENT}
   * @param region which cells
   */
  record Put(long collective, Region region) implements LogEntry {}

  /**
   * An earlier put of the same log does not count. A record that is no put is not affected.
   *
   * @param sequence the sequence number of the put
   */
  record Cancel(long sequence) implements LogEntry {}

  /**
   * A collective ends, in which all ranks took part. Its puts are those since the one before that
   * name it; there may be none.
   *
   * @param number counts the collectives from 1
   */
  record Collective(long number) implements LogEntry {}

  /**
   * An epoch of the program ends, for instance a step: a place to which a reader can go back.
   *
   * @param epoch grows from barrier to barrier
   */
  record Barrier(long epoch) implements LogEntry {}

  /**
   * The log is complete. It is the last record.
   *
   * @param recordCount the number of all records before
   * @param payloadBytes the bytes of their payloads, without padding
   * @param checksum CRC32C of the checksums of their heads, in order
   */
  record Seal(long recordCount, long payloadBytes, int checksum) implements LogEntry {}

  /** Text for people, which is the payload. */
  record Note() implements LogEntry {}
}
