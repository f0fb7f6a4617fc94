/**
 * How ranks share the work on a multifile: plans, groups, buddies, and one writer for each file.
 */
@NullMarked
package dev.cairn.multifile.task;

import org.jspecify.annotations.NullMarked;
