/**
 * What the verbs of both commands share: their environment, refusals, sentences about wrong usage,
 * text and JSON on standard output, and progress on the terminal.
 */
@NullMarked
package dev.cairn.command;

import org.jspecify.annotations.NullMarked;
