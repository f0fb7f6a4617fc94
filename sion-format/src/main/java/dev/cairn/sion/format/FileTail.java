package dev.cairn.sion.format;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.FieldMeter;
import dev.cairn.sion.field.Range;
import java.util.function.IntToLongFunction;

/**
 * META1's last 12 bytes, behind its task part. They are written last of all, and a file in which
 * they are missing or zero was never closed.
 *
 * @param maxBlocks the largest number of blocks that any task of this file uses
 * @param metaTwoStart where META2 begins
 */
public record FileTail(int maxBlocks, long metaTwoStart) {
  public static final FileTail BLANK = new FileTail(0, 0);

  /** The bytes of the tail. */
  public static final long SIZE = FieldMeter.sizeOf(io -> fields(io, BLANK, blocks -> 0));

  /** The field list; {@code metaTwoStarts} gives META2's start for a number of blocks. */
  public static <X extends Exception> FileTail fields(
      FieldIo<X> io, FileTail tail, IntToLongFunction metaTwoStarts) throws X {
    int maxBlocks = io.i32("maxchunks", tail.maxBlocks, Range.atLeast(1));
    long start = metaTwoStarts.applyAsLong(maxBlocks);
    return new FileTail(
        maxBlocks, io.i64("start_of_varheader", tail.metaTwoStart, Range.exactly(start)));
  }
}
