/** Copying a multifile without its holes. */
@NullMarked
package dev.cairn.sion.copy;

import org.jspecify.annotations.NullMarked;
