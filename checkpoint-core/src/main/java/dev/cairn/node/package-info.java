// Proved by CopyPlacementSpec, DrainingSpec, LocalCrashSpec.

/** The disks of the hosts: their files of a save, the copies on other hosts, the drain. */
@NullMarked
package dev.cairn.node;

import org.jspecify.annotations.NullMarked;
