package dev.cairn.sion.field;

import java.nio.ByteBuffer;

/** Writes a field list into memory, in the byte order of its buffer. */
public final class MemoryWriter extends FieldWriter<RuntimeException> {
  private final ByteBuffer memory;

  /** A writer into {@code memory}, which is large enough, from its position on. */
  public MemoryWriter(ByteBuffer memory) {
    this.memory = memory;
  }

  @Override
  public long position() {
    return memory.position();
  }

  @Override
  ByteBuffer room(int count) {
    return memory;
  }
}
