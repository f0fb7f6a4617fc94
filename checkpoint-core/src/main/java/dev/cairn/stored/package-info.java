/** Reading of a save: its index, the copy of its manifest, and verified frames. */
@NullMarked
package dev.cairn.stored;

import org.jspecify.annotations.NullMarked;
