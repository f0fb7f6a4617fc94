/**
 * Brings state back: finds a good save, compares it with what is declared, and moves each piece to
 * its rank.
 */
@NullMarked
package dev.cairn.restore;

import org.jspecify.annotations.NullMarked;
