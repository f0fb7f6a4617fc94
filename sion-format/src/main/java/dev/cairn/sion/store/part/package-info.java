/** New files that get their names when they are whole; not exported. */
@NullMarked
package dev.cairn.sion.store.part;

import org.jspecify.annotations.NullMarked;
