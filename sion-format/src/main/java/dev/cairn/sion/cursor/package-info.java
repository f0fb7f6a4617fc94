/**
 * Reading as C programs do, from a place that moves block by block or record by record. Start with
 * {@link dev.cairn.sion.cursor.MultifileReader}.
 */
@NullMarked
package dev.cairn.sion.cursor;

import org.jspecify.annotations.NullMarked;
