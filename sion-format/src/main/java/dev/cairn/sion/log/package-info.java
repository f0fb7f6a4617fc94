/**
 * Append-only logs: cells that wait on a local disk until they are written into their file.
 * docs/reference/log.md describes their bytes.
 */
@NullMarked
package dev.cairn.sion.log;

import org.jspecify.annotations.NullMarked;
