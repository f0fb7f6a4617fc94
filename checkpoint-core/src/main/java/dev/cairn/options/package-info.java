/** What a program chooses: how checkpoints are written, and when. */
@NullMarked
package dev.cairn.options;

import org.jspecify.annotations.NullMarked;
