package dev.cairn.sion.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file with the name of a segment.
 *
 * @param number as its name says
 * @param path the file
 * @param size its bytes when the log was opened
 * @param head its head; null if it has none that fits to itself
 * @param misfit why it has none
 */
record FoundSegment(
    int number, Path path, long size, @Nullable SegmentHead head, @Nullable Misfit misfit) {

  static FoundSegment read(OpenSegment segment, ReadAhead bytes, Path directory, int number)
      throws IOException {
    Path path = SegmentNames.path(directory, number);
    long size = segment.at(path).size();
    try {
      return new FoundSegment(number, path, size, headOf(bytes, path, size, number), null);
    } catch (SegmentHead.OtherVersion other) {
      if (number == 0) {
        throw new LogException.UnsupportedVersion(path, other.version());
      }
      return new FoundSegment(number, path, size, null, other);
    } catch (Misfit misfit) {
      return new FoundSegment(number, path, size, null, misfit);
    }
  }

  private static SegmentHead headOf(ReadAhead bytes, Path path, long size, int number)
      throws IOException, Misfit {
    if (size < LogFormat.SEGMENT_HEAD_SIZE) {
      throw new Misfit(
          "the head of a segment should have %d bytes, but the file ends at byte %d",
          LogFormat.SEGMENT_HEAD_SIZE, size);
    }
    SegmentHead head = SegmentHead.decoded(bytes.bytes(path, size, 0, LogFormat.SEGMENT_HEAD_SIZE));
    if (head.segment() != number) {
      throw new Misfit(
          "the head of segment %d should be, but it is that of segment %d", number, head.segment());
    }
    return head;
  }

  /** Its head; throws why there is none. */
  SegmentHead checkedHead() throws Misfit {
    if (misfit != null) {
      throw misfit;
    }
    return Objects.requireNonNull(head);
  }
}
