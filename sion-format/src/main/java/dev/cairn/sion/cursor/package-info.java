/**
 * Reading as in C programs, from a position that advances block by block or record by record. Start
 * with {@link dev.cairn.sion.cursor.MultifileReader}.
 */
@NullMarked
package dev.cairn.sion.cursor;

import org.jspecify.annotations.NullMarked;
