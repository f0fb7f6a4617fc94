/** The command cairn. */
@NullMarked
package dev.cairn.cli;

import org.jspecify.annotations.NullMarked;
