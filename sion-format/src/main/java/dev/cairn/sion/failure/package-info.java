/** What is wrong with a multifile that cannot be read as it is. */
@NullMarked
package dev.cairn.sion.failure;

import org.jspecify.annotations.NullMarked;
