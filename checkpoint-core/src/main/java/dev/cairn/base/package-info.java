// Proved by WriteBatchSpec, MessageFieldsSpec, KeptAsideSpec.

/**
 * What all rooms use: lists of fields that are sent or stored, writes that wait, UTF-8 text, small
 * files.
 */
@NullMarked
package dev.cairn.base;

import org.jspecify.annotations.NullMarked;
