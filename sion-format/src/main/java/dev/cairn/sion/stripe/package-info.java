/**
 * Where the bytes of a logical file lie when they are dealt to several sub-files: pure arithmetic
 * without I/O.
 */
@NullMarked
package dev.cairn.sion.stripe;

import org.jspecify.annotations.NullMarked;
