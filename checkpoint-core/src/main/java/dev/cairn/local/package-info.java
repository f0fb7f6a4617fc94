/**
 * Saves on the disks of the hosts: their files, and how these reach the store that all ranks share.
 */
@NullMarked
package dev.cairn.local;

import org.jspecify.annotations.NullMarked;
