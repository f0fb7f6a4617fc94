/** The kinds of state: what each captures for a save, and assigns at a restore. */
@NullMarked
package dev.cairn.item;

import org.jspecify.annotations.NullMarked;
