/** New files that get their names when all of them are complete; not exported. */
@NullMarked
package dev.cairn.sion.copy.part;

import org.jspecify.annotations.NullMarked;
