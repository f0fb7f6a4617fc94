// Proved by OptionsSpec, SettingsSpec, SettingsInUseSpec.

/**
 * Options of a program: one table of settings, and the builders, files and command lines that set
 * them.
 */
@NullMarked
package dev.cairn.options;

import org.jspecify.annotations.NullMarked;
