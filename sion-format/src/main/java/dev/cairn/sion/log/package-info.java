/**
 * Append-only logs: writes that wait on a local disk until they are replayed, and the journals of
 * concentrators. docs/reference/log.md describes their bytes.
 */
@NullMarked
package dev.cairn.sion.log;

import org.jspecify.annotations.NullMarked;
