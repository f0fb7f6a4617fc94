/**
 * The encoding of a multifile's meta data. Each structure is one list of fields, and reading,
 * writing, measuring and printing are four {@link dev.cairn.sion.format.FieldIo}s that walk it.
 */
@NullMarked
package dev.cairn.sion.format;

import org.jspecify.annotations.NullMarked;
