package dev.cairn.sion.store.simulated;

import java.util.function.LongSupplier;

/**
 * The count of a {@link SimulatedDisk}'s used pages. Pages that files release are not tracked but
 * recounted when needed, so the count can be too high but never too low.
 */
final class DiskSpace {
  private final long capacityPages;
  private final LongSupplier usedPages;
  private long usedPagesAtMost;

  DiskSpace(long capacityBytes, LongSupplier usedPages) {
    this.capacityPages = capacityBytes / SparseBytes.PAGE_BYTES;
    this.usedPages = usedPages;
  }

  long freeBytes() {
    recount();
    return freePages() * SparseBytes.PAGE_BYTES;
  }

  /** How many of {@code length} bytes can be written to {@code content} before the disk is full. */
  int fitting(SparseBytes content, long position, int length) {
    long pagesAtMost = length / SparseBytes.PAGE_BYTES + 2L;
    if (pagesAtMost <= freePages()) {
      return length;
    }
    recount();
    return content.fitting(position, length, freePages());
  }

  void use(long pages) {
    usedPagesAtMost += pages;
  }

  void recount() {
    usedPagesAtMost = usedPages.getAsLong();
  }

  private long freePages() {
    return Math.max(0, capacityPages - usedPagesAtMost);
  }
}
