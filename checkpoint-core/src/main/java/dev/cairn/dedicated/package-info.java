/** Ranks that a program gives up: they write what the others save, and the others go on. */
@NullMarked
package dev.cairn.dedicated;

import org.jspecify.annotations.NullMarked;
