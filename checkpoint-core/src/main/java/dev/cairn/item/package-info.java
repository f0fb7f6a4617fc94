/** The kinds of state from inside: what each captures for a save, and takes back from a restore. */
@NullMarked
package dev.cairn.item;

import org.jspecify.annotations.NullMarked;
