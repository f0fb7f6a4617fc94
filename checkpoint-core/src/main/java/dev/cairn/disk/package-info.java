/** Small files that are read or written whole, and files that make room for others. */
@NullMarked
package dev.cairn.disk;

import org.jspecify.annotations.NullMarked;
