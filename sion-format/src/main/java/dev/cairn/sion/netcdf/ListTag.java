package dev.cairn.sion.netcdf;

import java.util.Locale;

/** What opens a list in a header; a list without elements has the tag 0 instead. */
enum ListTag {
  DIMENSION(0x0A),
  VARIABLE(0x0B),
  ATTRIBUTE(0x0C);

  static final int ABSENT = 0;

  private final int code;

  ListTag(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The word for one element. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
