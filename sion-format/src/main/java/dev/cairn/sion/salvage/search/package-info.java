/** The search of a file that was not closed for the lengths of its tasks; not exported. */
@NullMarked
package dev.cairn.sion.salvage.search;

import org.jspecify.annotations.NullMarked;
