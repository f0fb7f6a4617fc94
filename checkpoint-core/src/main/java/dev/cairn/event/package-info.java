/** Events of checkpoints and their listeners, outcomes of saves, and exit codes. */
@NullMarked
package dev.cairn.event;

import org.jspecify.annotations.NullMarked;
