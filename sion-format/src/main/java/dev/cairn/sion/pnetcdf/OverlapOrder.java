package dev.cairn.sion.pnetcdf;

/** Which of several puts counts where they overlap. */
public enum OverlapOrder {
  /** The last one by rank, and by time among those of one rank. */
  LAST,

  /** The first one, as where PnetCDF flushes a whole log at once. */
  FIRST,

  /** None: overlaps are refused. */
  ERROR
}
