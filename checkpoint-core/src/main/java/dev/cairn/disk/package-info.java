/** Small files that are read or written whole, and moving files out of the way. */
@NullMarked
package dev.cairn.disk;

import org.jspecify.annotations.NullMarked;
