package dev.cairn.sion.field;

import java.nio.ByteBuffer;

/** Reads a field list from memory, in the byte order of its buffer. */
public final class MemoryReader extends FieldReader<Misfit> {
  private final ByteBuffer memory;
  private final long start;

  /** A reader of {@code memory}, which begins at {@code start} of its file. */
  public MemoryReader(ByteBuffer memory, long start) {
    this.memory = memory;
    this.start = start;
  }

  @Override
  public long position() {
    return start + memory.position();
  }

  @Override
  public void require(String part, long byteCount) throws Misfit {
    if (byteCount < 0 || byteCount > memory.remaining()) {
      throw misfit(
          position(),
          String.format(
              "%s should have %d bytes, but only %d follow", part, byteCount, memory.remaining()));
    }
  }

  @Override
  protected ByteBuffer next(String name, int count) throws Misfit {
    require(name, count);
    return memory;
  }

  @Override
  public Misfit unexpected(long position, String name, String expected, String found) {
    return misfit(position, String.format("%s should be %s, but is %s", name, expected, found));
  }

  @Override
  public Misfit misfit(long position, String sentence) {
    return new Misfit(position, "%s", sentence);
  }
}
