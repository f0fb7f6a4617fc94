/**
 * The logs that PnetCDF's burst-buffer driver leaves: for each process a file that describes its
 * puts and one that holds their values. {@link dev.cairn.sion.pnetcdf.BurstLogSet} reads the logs
 * of a program.
 *
 * <p>The format has no checksums, and a log that was flushed when its file was closed looks like
 * one that was not. It is here for exchange; Cairn's own output waits in logs of its own, of which
 * {@link dev.cairn.sion.pnetcdf.BurstExport} makes such logs.
 */
@NullMarked
package dev.cairn.sion.pnetcdf;

import org.jspecify.annotations.NullMarked;
