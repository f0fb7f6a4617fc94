/** The positions of chunks and tables in a multifile: pure arithmetic without I/O. */
@NullMarked
package dev.cairn.sion.layout;

import org.jspecify.annotations.NullMarked;
