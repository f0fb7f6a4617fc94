// Proved by NetcdfCrashSpec, ArrayFilesSpec, RankLogSpec.

/**
 * Files for other programs: NetCDF outputs that a restart cuts back, and arrays in canonical order.
 */
@NullMarked
package dev.cairn.output;

import org.jspecify.annotations.NullMarked;
