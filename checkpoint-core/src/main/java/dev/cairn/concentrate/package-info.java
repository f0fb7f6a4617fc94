/**
 * Many ranks and few files: some of the ranks, the concentrators, gather the bytes of all, and
 * write or read them in large pieces.
 */
@NullMarked
package dev.cairn.concentrate;

import org.jspecify.annotations.NullMarked;
