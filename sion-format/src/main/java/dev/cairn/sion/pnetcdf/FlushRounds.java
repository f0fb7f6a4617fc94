package dev.cairn.sion.pnetcdf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which puts of a log PnetCDF flushes together: as many as fit into its buffer, which is as large
 * as the hint {@code nc_burst_buf_flush_buffer_size} says, or as the largest put.
 */
final class FlushRounds {
  private final int[] ends;

  private FlushRounds(List<Integer> ends) {
    this.ends = ends.stream().mapToInt(Integer::intValue).toArray();
  }

  /** With buffers of {@code bufferSize} bytes, or of any size if that is 0. */
  static FlushRounds of(BurstLog log, long bufferSize) throws IOException {
    long room = bufferSize == 0 ? Long.MAX_VALUE : bufferSize;
    for (int number = 0; number < log.putCount(); number++) {
      room = Math.max(room, log.put(number).dataSize());
    }
    List<Integer> ends = new ArrayList<>();
    long used = 0;
    for (int number = 0; number < log.putCount(); number++) {
      long size = log.put(number).dataSize();
      if (size > room - used) {
        ends.add(number);
        used = 0;
      }
      used += size;
    }
    ends.add(log.putCount());
    return new FlushRounds(ends);
  }

  int count() {
    return ends.length;
  }

  /** The first put of a round. */
  int first(int round) {
    return round == 0 ? 0 : ends[round - 1];
  }

  /** The first put behind a round. */
  int end(int round) {
    return ends[round];
  }
}
