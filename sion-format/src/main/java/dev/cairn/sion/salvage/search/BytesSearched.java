package dev.cairn.sion.salvage.search;

import java.io.IOException;

/** Called with the number of bytes searched since the last call. Throwing ends the search. */
@FunctionalInterface
public interface BytesSearched {
  void searched(long byteCount) throws IOException;
}
