/**
 * NetCDF classic files (CDF-1, CDF-2 and CDF-5). A {@link dev.cairn.sion.netcdf.NetcdfSpec} says
 * what a file holds and a {@link dev.cairn.sion.netcdf.NetcdfLayout} where its bytes lie; {@link
 * dev.cairn.sion.netcdf.NetcdfWriter} and {@link dev.cairn.sion.netcdf.NetcdfReader} do the I/O.
 */
@NullMarked
package dev.cairn.sion.netcdf;

import org.jspecify.annotations.NullMarked;
