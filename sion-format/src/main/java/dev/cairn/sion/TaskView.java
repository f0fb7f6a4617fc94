package dev.cairn.sion;

import dev.cairn.sion.failure.SionException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * One task's stream, read back. Positions are logical: chunk borders are not visible.
 *
 * <p>A view from a {@link GlobalView} owns nothing, and closing it does nothing; one from {@link
 * Multifile#openTask} owns its files. Any number of threads may read at once.
 */
public interface TaskView extends Closeable {
  /** The task's number in the multifile. */
  int task();

  /** The physical file that holds the task's chunks. */
  Path file();

  /** The number by which the writing program knew the task. */
  long globalRank();

  /** What the stream holds. */
  Content content();

  /** The byte order of the headers of its records. */
  ByteOrder metaDataOrder();

  /** The chunk size as META1 holds it; in formats 2 and 3 that is the one asked for. */
  long chunkSize();

  /** The length of the stream. */
  long size();

  /** The blocks that the task used; at least one. */
  int blockCount();

  /** The bytes in one of its blocks. */
  long bytesInBlock(int block);

  /** The position of the stream at which a block begins. */
  long blockStart(int block);

  /** The block that holds the byte at {@code position}; the last one for the end of the stream. */
  int blockAt(long position);

  /** Where its chunk in one of its blocks begins in the physical file. */
  long chunkOffset(int block);

  /** Where the byte at {@code position} of the stream lies in the physical file. */
  long offset(long position);

  /**
   * Reads from {@code position} on, over block borders, until {@code target} is full or the stream
   * ends.
   *
   * @return the number of bytes read, or -1 at or behind the end of the stream
   */
  int read(long position, ByteBuffer target) throws IOException;

  /** The stream from its start, with a position of its own; closing it closes nothing else. */
  default ChunkInput stream() {
    return new ChunkInput(this);
  }

  /**
   * The task's records. This walks over all of their headers.
   *
   * @throws IllegalStateException if the multifile holds plain bytes
   * @throws SionException if the stream is not a row of whole records
   */
  default RecordView records() throws IOException {
    if (content() != Content.RECORDS) {
      throw new IllegalStateException(
          String.format("%s holds plain bytes, no records: read the stream.", file()));
    }
    return RecordView.of(this);
  }
}
