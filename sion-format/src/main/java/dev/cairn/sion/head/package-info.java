/** Heads of logs as lists of fields, each stated once, in either byte order; not exported. */
@NullMarked
package dev.cairn.sion.head;

import org.jspecify.annotations.NullMarked;
