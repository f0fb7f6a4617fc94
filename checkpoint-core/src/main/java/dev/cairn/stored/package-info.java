/** How a save is read: its index, the copy of its manifest, and verified frames. */
@NullMarked
package dev.cairn.stored;

import org.jspecify.annotations.NullMarked;
