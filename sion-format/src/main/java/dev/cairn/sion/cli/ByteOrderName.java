package dev.cairn.sion.cli;

import java.nio.ByteOrder;

/** The name of a byte order in what the verbs print. */
final class ByteOrderName {
  private ByteOrderName() {}

  static String of(ByteOrder order) {
    return order == ByteOrder.BIG_ENDIAN ? "big" : "little";
  }
}
