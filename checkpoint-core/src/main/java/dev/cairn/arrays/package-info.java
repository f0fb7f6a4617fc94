/**
 * Files of arrays that ranks own together, in canonical order: any ranks write them and any others
 * read them.
 */
@NullMarked
package dev.cairn.arrays;

import org.jspecify.annotations.NullMarked;
