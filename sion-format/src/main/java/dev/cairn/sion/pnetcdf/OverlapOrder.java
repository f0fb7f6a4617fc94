package dev.cairn.sion.pnetcdf;

/**
 * Which of several puts counts where they overlap, and which box of one put. {@link
 * BurstReplay#runAsPnetcdf} has another rule, that of PnetCDF.
 */
public enum OverlapOrder {
  /** The last one by rank, by time among those of one rank, and by its place in its put. */
  LAST,

  /** The first one by rank, by time, and by its place in its put. */
  FIRST,

  /** None: overlaps are refused. */
  ERROR
}
