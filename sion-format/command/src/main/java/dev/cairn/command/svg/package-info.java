/** Draws pictures as SVG: maps of multifiles, reports of runs, and plots of benchmarks. */
@NullMarked
package dev.cairn.command.svg;

import org.jspecify.annotations.NullMarked;
