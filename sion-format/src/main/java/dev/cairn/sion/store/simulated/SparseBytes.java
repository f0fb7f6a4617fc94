package dev.cairn.sion.store.simulated;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes at positions up to the largest {@code long}; what was never written costs nothing and reads
 * as zero. A copy shares its pages until one of the two changes them. Not thread-safe.
 */
final class SparseBytes implements History.Copyable<SparseBytes> {
  static final int PAGE_BYTES = 4096;
  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  private final Map<Long, Page> pages = new HashMap<>();
  private long size;

  private static final class Page {
    final byte[] bytes;
    boolean shared;

    Page(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /** The part of one page that a loop over a range has come to. */
  private record PagePart(long page, int offset, int length) {
    static PagePart at(long position, long remaining) {
      int offset = (int) (position % PAGE_BYTES);
      return new PagePart(
          position / PAGE_BYTES, offset, (int) Math.min(PAGE_BYTES - offset, remaining));
    }
  }

  @Override
  public SparseBytes copy() {
    SparseBytes copy = new SparseBytes();
    pages.values().forEach(page -> page.shared = true);
    copy.pages.putAll(pages);
    copy.size = size;
    return copy;
  }

  long size() {
    return size;
  }

  long pageCount() {
    return pages.size();
  }

  int read(long position, ByteBuffer target) {
    if (position >= size) {
      return -1;
    }
    int count = (int) Math.min(target.remaining(), size - position);
    for (int done = 0; done < count; ) {
      PagePart part = PagePart.at(position + done, count - done);
      Page page = pages.get(part.page);
      target.put(page == null ? ZEROS : page.bytes, part.offset, part.length);
      done += part.length;
    }
    return count;
  }

  /** Writes a part of {@code source}; an empty part changes nothing, not even the size. */
  void write(long position, byte[] source, int from, int to) {
    for (int next = from; next < to; ) {
      PagePart part = PagePart.at(position + (next - from), to - next);
      System.arraycopy(source, next, ownPage(part.page).bytes, part.offset, part.length);
      next += part.length;
    }
    if (from < to) {
      size = Math.max(size, position + (to - from));
    }
  }

  void resize(long newSize) {
    if (newSize < size) {
      PagePart end = PagePart.at(newSize, PAGE_BYTES);
      pages.keySet().removeIf(page -> page > end.page || (page == end.page && end.offset == 0));
      if (pages.containsKey(end.page)) {
        Arrays.fill(ownPage(end.page).bytes, end.offset, PAGE_BYTES, (byte) 0);
      }
    }
    size = newSize;
  }

  /** How many of {@code length} bytes can be written if {@code freePages} pages may be added. */
  int fitting(long position, int length, long freePages) {
    long left = freePages;
    for (int done = 0; done < length; ) {
      PagePart part = PagePart.at(position + done, length - done);
      if (!pages.containsKey(part.page) && --left < 0) {
        return done;
      }
      done += part.length;
    }
    return length;
  }

  private Page ownPage(long index) {
    return pages.compute(
        index,
        (unused, page) -> {
          if (page == null) {
            return new Page(new byte[PAGE_BYTES]);
          }
          return page.shared ? new Page(page.bytes.clone()) : page;
        });
  }
}
