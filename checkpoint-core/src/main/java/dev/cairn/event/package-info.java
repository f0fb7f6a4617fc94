/** What happens to checkpoints, how a save and a process end, and who hears of it. */
@NullMarked
package dev.cairn.event;

import org.jspecify.annotations.NullMarked;
