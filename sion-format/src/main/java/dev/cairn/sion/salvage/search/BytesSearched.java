package dev.cairn.sion.salvage.search;

import java.io.IOException;

/** Hears how many more bytes were searched, and ends the search by throwing. */
@FunctionalInterface
public interface BytesSearched {
  void searched(long byteCount) throws IOException;
}
