/** The exceptions of the core, their messages, and how ranks share them. */
@NullMarked
package dev.cairn.failure;

import org.jspecify.annotations.NullMarked;
