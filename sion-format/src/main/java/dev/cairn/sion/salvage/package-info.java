/**
 * What is left of a multifile that was not closed or lost some of its files, and its repair. Start
 * with {@link dev.cairn.sion.salvage.Salvage}.
 */
@NullMarked
package dev.cairn.sion.salvage;

import org.jspecify.annotations.NullMarked;
