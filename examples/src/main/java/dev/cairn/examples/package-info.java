/** Programs that show how Cairn is used. */
@NullMarked
package dev.cairn.examples;

import org.jspecify.annotations.NullMarked;
