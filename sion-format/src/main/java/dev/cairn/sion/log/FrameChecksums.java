package dev.cairn.sion.log;

/** CRC32C of each frame of a payload. It owns its array. */
final class FrameChecksums {
  static final FrameChecksums NONE = new FrameChecksums(new int[0]);

  private final int[] byFrame;

  FrameChecksums(int[] byFrame) {
    this.byFrame = byFrame;
  }

  int count() {
    return byFrame.length;
  }

  /** In their order; it is not to be changed. */
  int[] row() {
    return byFrame;
  }

  int of(int frame) {
    return byFrame[frame];
  }
}
