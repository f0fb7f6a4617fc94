/**
 * Cells as bytes: how a box of them lies in memory, in a stream or in a message, how they are
 * copied between any two of these, and their digest. Pure arithmetic and loops that touch no file;
 * not exported, because users hand over whole arrays.
 */
@NullMarked
package dev.cairn.cells;

import org.jspecify.annotations.NullMarked;
