/**
 * Schemas of stored data: types and properties of values and columns, and the differences of two
 * schemas.
 */
@NullMarked
package dev.cairn.schema;

import org.jspecify.annotations.NullMarked;
