/** Structures: lists of fields, each stated once, that are stored or sent. */
@NullMarked
package dev.cairn.structure;

import org.jspecify.annotations.NullMarked;
