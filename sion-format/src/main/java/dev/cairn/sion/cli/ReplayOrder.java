package dev.cairn.sion.cli;

/** Which put counts in a replay where several overlap. */
enum ReplayOrder {
  LAST,
  FIRST,
  PNETCDF,
  ERROR
}
