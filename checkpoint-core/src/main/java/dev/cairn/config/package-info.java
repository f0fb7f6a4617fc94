/** Settings: what they are, and what a file, the environment and the command line say of them. */
@NullMarked
package dev.cairn.config;

import org.jspecify.annotations.NullMarked;
