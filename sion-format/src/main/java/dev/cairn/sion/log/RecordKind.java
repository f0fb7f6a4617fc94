package dev.cairn.sion.log;

import java.util.Arrays;
import java.util.List;

/** The kinds of records, and the fields that each has behind those that all have. */
enum RecordKind {
  PUT(1, LogEntry.Put.class) {
    @Override
    LogEntry fields(HeadIo io, LogEntry entry) throws Misfit {
      LogEntry.Put put = entry instanceof LogEntry.Put given ? given : BLANK;
      Region region = put.region();
      long collective = io.u64("collective", put.collective(), 0, Long.MAX_VALUE);
      int variable = io.u32("variable", region.variable(), 0, Integer.MAX_VALUE);
      int elementSize = io.u32("elementSize", region.elementSize(), 1, Integer.MAX_VALUE);
      int dimensions =
          io.u32("dimensionCount", region.dimensionCount(), 0, LogFormat.MOST_HEAD_SIZE);
      int boxCount = io.u32("boxCount", region.boxes().size(), 1, LogFormat.MOST_HEAD_SIZE);
      List<StridedBox> boxes = io.boxes("boxes", boxCount, dimensions, region.boxes());
      return new LogEntry.Put(collective, region(variable, elementSize, boxes));
    }
  },
  CANCEL(2, LogEntry.Cancel.class) {
    @Override
    LogEntry fields(HeadIo io, LogEntry entry) throws Misfit {
      long given = entry instanceof LogEntry.Cancel cancel ? cancel.sequence() : 0;
      return new LogEntry.Cancel(io.u64("cancelled", given, 1, Long.MAX_VALUE));
    }
  },
  COLLECTIVE(3, LogEntry.Collective.class) {
    @Override
    LogEntry fields(HeadIo io, LogEntry entry) throws Misfit {
      long given = entry instanceof LogEntry.Collective collective ? collective.number() : 0;
      return new LogEntry.Collective(io.u64("number", given, 1, Long.MAX_VALUE));
    }
  },
  BARRIER(4, LogEntry.Barrier.class) {
    @Override
    LogEntry fields(HeadIo io, LogEntry entry) throws Misfit {
      long given = entry instanceof LogEntry.Barrier barrier ? barrier.epoch() : 0;
      return new LogEntry.Barrier(io.u64("epoch", given, 0, Long.MAX_VALUE));
    }
  },
  SEAL(5, LogEntry.Seal.class) {
    @Override
    LogEntry fields(HeadIo io, LogEntry entry) throws Misfit {
      LogEntry.Seal seal =
          entry instanceof LogEntry.Seal given ? given : new LogEntry.Seal(0, 0, 0);
      return new LogEntry.Seal(
          io.u64("recordCount", seal.recordCount(), 0, Long.MAX_VALUE),
          io.u64("payloadBytes", seal.payloadBytes(), 0, Long.MAX_VALUE),
          io.bits32("recordChecksum", seal.checksum()));
    }
  },
  NOTE(6, LogEntry.Note.class) {
    @Override
    LogEntry fields(HeadIo io, LogEntry entry) {
      return new LogEntry.Note();
    }
  };

  /** The size of the head of every seal. */
  static final int SEAL_SIZE = 64;

  private static final LogEntry.Put BLANK =
      new LogEntry.Put(LogEntry.INDEPENDENT, Region.ofExtent(0, 0, 1));

  private final int code;
  private final Class<? extends LogEntry> type;

  RecordKind(int code, Class<? extends LogEntry> type) {
    this.code = code;
    this.type = type;
  }

  int code() {
    return code;
  }

  /**
   * The field list of the kind; {@code entry} has its values, or is of another kind when reading.
   */
  abstract LogEntry fields(HeadIo io, LogEntry entry) throws Misfit;

  /** {@code code} is one of 1 to 6. */
  static RecordKind of(int code) {
    return values()[code - 1];
  }

  static RecordKind of(LogEntry entry) {
    return Arrays.stream(values()).filter(kind -> kind.type.isInstance(entry)).findFirst().get();
  }

  private static Region region(int variable, int elementSize, List<StridedBox> boxes)
      throws Misfit {
    try {
      return new Region(variable, elementSize, boxes);
    } catch (IllegalArgumentException illegal) {
      throw Misfit.Illegal.because(illegal);
    }
  }
}
