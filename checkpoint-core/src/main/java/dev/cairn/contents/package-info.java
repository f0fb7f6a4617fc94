/** The table of contents of a rank: where the frames of each item lie in its logical file. */
@NullMarked
package dev.cairn.contents;

import org.jspecify.annotations.NullMarked;
