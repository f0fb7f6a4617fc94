/** Settings: their types, and their values from a file, the environment and the command line. */
@NullMarked
package dev.cairn.config;

import org.jspecify.annotations.NullMarked;
