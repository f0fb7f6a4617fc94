/** Compressed streams inside the tasks of a multifile, with Zstandard. */
@NullMarked
package dev.cairn.sion.zstd;

import org.jspecify.annotations.NullMarked;
