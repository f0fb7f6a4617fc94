/**
 * The physical files of a multifile: where their bytes come from, and what stands at their heads
 * and ends. Not exported.
 */
@NullMarked
package dev.cairn.sion.file;

import org.jspecify.annotations.NullMarked;
