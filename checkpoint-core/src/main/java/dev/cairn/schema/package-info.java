/**
 * The shapes of what is stored: types and properties of values and columns, and how two of them
 * differ.
 */
@NullMarked
package dev.cairn.schema;

import org.jspecify.annotations.NullMarked;
