/**
 * The logs that PnetCDF's burst-buffer driver leaves: for each process a file that describes its
 * puts and one that holds their values. {@link dev.cairn.sion.pnetcdf.BurstLogSet} reads the logs
 * of a program, {@link dev.cairn.sion.pnetcdf.BurstLogWriter} writes the log of a process.
 *
 * <p>The format has no checksums, and a log that was flushed when its file was closed looks like
 * one that was not. It is here for exchange; programs of our own use {@link dev.cairn.sion.log}.
 * {@link dev.cairn.sion.pnetcdf.BurstExport} makes such logs of those.
 */
@NullMarked
package dev.cairn.sion.pnetcdf;

import org.jspecify.annotations.NullMarked;
