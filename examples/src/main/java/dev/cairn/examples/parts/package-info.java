/**
 * Parts of programs, which pages of the docs show; the programs, with a main, are beside this
 * package.
 */
@NullMarked
package dev.cairn.examples.parts;

import org.jspecify.annotations.NullMarked;
