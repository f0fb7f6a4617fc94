/** The exceptions of the core, the sentences they are told in, and how ranks share them. */
@NullMarked
package dev.cairn.failure;

import org.jspecify.annotations.NullMarked;
