package dev.cairn.sion.stripe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A layout that gives each page of the logical file a slot in one of the sub-files. A page gets its
 * place once, from {@link PagePlacement}, and never moves. The table is held as runs.
 *
 * <p>Pages without a place lie nowhere: to read or write them is an error. The length of the
 * logical file cannot be computed from those of the sub-files, since the last page of the file may
 * lie before another one in its sub-file.
 */
public final class PageTable implements SubFileLayout {
  private final long pageSize;
  private final int subFileCount;

  /** In ascending order of pages; none continues the one before it. */
  private final List<Run> runs;

  /** The same of each sub-file, in ascending order of slots. */
  private final List<List<Run>> bySlot;

  private PageTable(long pageSize, int subFileCount, List<Run> runs, List<List<Run>> bySlot) {
    this.pageSize = pageSize;
    this.subFileCount = subFileCount;
    this.runs = runs;
    this.bySlot = bySlot;
  }

  /** A table without pages. */
  public static PageTable empty(long pageSize, int subFileCount) {
    return of(pageSize, subFileCount, List.of());
  }

  /**
   * The table that consists of these runs.
   *
   * @param pageSize the bytes of a page
   * @param runs in ascending order of pages
   * @throws IllegalArgumentException if a page or a slot is taken twice, or a slot is left out, or
   *     the table reaches behind 2^63 - 1 bytes
   */
  public static PageTable of(long pageSize, int subFileCount, List<Run> runs) {
    if (pageSize < 1 || subFileCount < 1) {
      throw new IllegalArgumentException(
          String.format(
              "Pages of %d bytes in %d sub-files; both must be at least 1.",
              pageSize, subFileCount));
    }
    List<Run> joined = joined(pageSize, runs);
    return new PageTable(pageSize, subFileCount, joined, bySlot(subFileCount, joined));
  }

  private static List<Run> joined(long pageSize, List<Run> runs) {
    List<Run> joined = new ArrayList<>();
    long nextPage = 0;
    for (Run run : runs) {
      if (run.page() < nextPage || run.pageEnd() > Long.MAX_VALUE / pageSize) {
        throw new IllegalArgumentException(
            String.format(
                "The run of %d pages from page %d on is out of order, overlaps another one, or"
                    + " reaches behind 2^63 - 1 bytes.",
                run.count(), run.page()));
      }
      nextPage = run.pageEnd();
      int last = joined.size() - 1;
      if (last >= 0 && run.continues(joined.get(last))) {
        joined.set(last, joined.get(last).with(run));
      } else {
        joined.add(run);
      }
    }
    return List.copyOf(joined);
  }

  private static List<List<Run>> bySlot(int subFileCount, List<Run> runs) {
    List<List<Run>> bySlot = new ArrayList<>();
    for (int subFile = 0; subFile < subFileCount; subFile++) {
      bySlot.add(new ArrayList<>());
    }
    runs.forEach(run -> bySlot.get(Positions.requireSubFile(run.subFile(), subFileCount)).add(run));
    for (List<Run> ofSubFile : bySlot) {
      ofSubFile.sort(Comparator.comparingLong(Run::slot));
      long nextSlot = 0;
      for (Run run : ofSubFile) {
        if (run.slot() != nextSlot) {
          throw new IllegalArgumentException(
              String.format(
                  "In sub-file %d slot %d should be the next one, but page %d has slot %d.",
                  run.subFile(), nextSlot, run.page(), run.slot()));
        }
        nextSlot = run.slotEnd();
      }
    }
    return bySlot;
  }

  /** The bytes of a page. */
  public long pageSize() {
    return pageSize;
  }

  /** The runs, in ascending order of pages, as few as there can be. */
  public List<Run> runs() {
    return runs;
  }

  /** Whether a page has a place. */
  public boolean holds(long page) {
    int number = runAtOrBefore(page);
    return number >= 0 && page < runs.get(number).pageEnd();
  }

  /** How many pages a sub-file has, which is the number of its next free slot. */
  public long pageCount(int subFile) {
    List<Run> ofSubFile = bySlot.get(Positions.requireSubFile(subFile, subFileCount));
    return ofSubFile.isEmpty() ? 0 : ofSubFile.get(ofSubFile.size() - 1).slotEnd();
  }

  /**
   * A checksum of the page size, the number of sub-files and all places: CRC32C of these numbers
   * and of the four numbers of each run, each of 8 bytes, little-endian. Equal tables have equal
   * checksums, however their pages were placed.
   */
  public int checksum() {
    CRC32C crc = new CRC32C();
    ByteBuffer words = ByteBuffer.allocate(4 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    crc.update(words.putLong(pageSize).putLong(subFileCount).flip());
    for (Run run : runs) {
      words.clear().putLong(run.page()).putLong(run.count());
      crc.update(words.putLong(run.subFile()).putLong(run.slot()).flip());
    }
    return (int) crc.getValue();
  }

  @Override
  public int subFileCount() {
    return subFileCount;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException also if one of the pages has no place; then no run was handed
   *     over
   */
  @Override
  public void forEachRun(long logicalOffset, long length, SubFileLayout.RunConsumer consumer) {
    long end = Positions.end(logicalOffset, length);
    requirePlaces(logicalOffset, end);
    long next = logicalOffset;
    for (int number = runAtOrBefore(logicalOffset / pageSize); next < end; number++) {
      Run run = runs.get(number);
      long size = Math.min(end, run.pageEnd() * pageSize) - next;
      long local = Math.addExact(run.slot() * pageSize, next - run.page() * pageSize);
      consumer.accept(run.subFile(), local, next, size);
      next += size;
    }
  }

  @Override
  public void forEachLocal(long logicalOffset, long length, SubFileLayout.LocalConsumer consumer) {
    forEachRun(
        logicalOffset, length, (subFile, local, at, size) -> consumer.accept(subFile, local, size));
  }

  @Override
  public void forEachRunOf(
      int subFile, long local, long length, SubFileLayout.RunConsumer consumer) {
    long end = Positions.end(local, length);
    for (Run run : bySlot.get(Positions.requireSubFile(subFile, subFileCount))) {
      long begin = run.slot() * pageSize;
      long first = Math.max(local, begin);
      long last = Math.min(end, run.slotEnd() * pageSize);
      if (first < last) {
        consumer.accept(subFile, first, run.page() * pageSize + first - begin, last - first);
      }
    }
  }

  @Override
  public long logicalOffsetOf(int subFile, long local) {
    Positions.requirePosition(local);
    for (Run run : bySlot.get(Positions.requireSubFile(subFile, subFileCount))) {
      if (local / pageSize < run.slotEnd()) {
        return (run.page() - run.slot()) * pageSize + local;
      }
    }
    throw new IllegalArgumentException(
        String.format("Byte %d of sub-file %d is in no page.", local, subFile));
  }

  @Override
  public long lengthOf(int subFile, long logicalLength) {
    Positions.requirePosition(logicalLength);
    long end = 0;
    for (Run run : bySlot.get(Positions.requireSubFile(subFile, subFileCount))) {
      long bytes = Math.min(logicalLength, run.pageEnd() * pageSize) - run.page() * pageSize;
      if (bytes > 0) {
        end = Math.max(end, run.slot() * pageSize + bytes);
      }
    }
    return end;
  }

  private void requirePlaces(long logicalOffset, long end) {
    long next = logicalOffset;
    for (int number = Math.max(0, runAtOrBefore(logicalOffset / pageSize)); next < end; number++) {
      boolean holdsNext =
          number < runs.size()
              && runs.get(number).page() <= next / pageSize
              && next / pageSize < runs.get(number).pageEnd();
      if (!holdsNext) {
        throw new IllegalArgumentException(
            String.format(
                "Page %d has no place yet: place it with all ranks before it is used.",
                next / pageSize));
      }
      next = runs.get(number).pageEnd() * pageSize;
    }
  }

  /** The number of the last run that begins at or before {@code page}, or -1. */
  private int runAtOrBefore(long page) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.get(middle).page() <= page) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Consecutive pages in consecutive slots of one sub-file.
   *
   * @param page the first page
   * @param count how many there are, at least 1
   * @param subFile the sub-file
   * @param slot the slot of the first page
   */
  public record Run(long page, long count, int subFile, long slot) {
    /** Refuses negative numbers, and an end behind 2^63 - 1. */
    public Run {
      Positions.end(page, count);
      Positions.end(slot, count);
      if (count < 1 || subFile < 0) {
        throw new IllegalArgumentException(
            String.format("A run of %d pages in sub-file %d does not exist.", count, subFile));
      }
    }

    long pageEnd() {
      return page + count;
    }

    long slotEnd() {
      return slot + count;
    }

    boolean continues(Run before) {
      return subFile == before.subFile && page == before.pageEnd() && slot == before.slotEnd();
    }

    Run with(Run next) {
      return new Run(page, count + next.count, subFile, slot);
    }
  }
}
