package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.Variable;
import java.util.Arrays;

/** Values of a put that became the fill value of their variable, whose cells cannot have them. */
public final class RangeLoss {
  private final int rank;
  private final int put;
  private final Variable variable;
  private final long count;
  private final long[] first;

  RangeLoss(int rank, int put, Variable variable, long count, long[] first) {
    this.rank = rank;
    this.put = put;
    this.variable = variable;
    this.count = count;
    this.first = first;
  }

  /** Both, of the same put. */
  RangeLoss with(RangeLoss other) {
    long[] earlier = Arrays.compare(first, other.first) <= 0 ? first : other.first;
    return new RangeLoss(rank, put, variable, count + other.count, earlier);
  }

  /** Whose log it is. */
  public int rank() {
    return rank;
  }

  /** The number of the put in that log. */
  public int put() {
    return put;
  }

  /** The name of the variable. */
  public String variable() {
    return variable.name();
  }

  /** How many values. */
  public long count() {
    return count;
  }

  /** Where the first one belongs. */
  public long[] first() {
    return first.clone();
  }

  @Override
  public String toString() {
    return String.format(
        "put %d of rank %d: %d values do not fit into variable %s, which is of type %s, and became"
            + " its fill value; the first belongs to %s",
        put, rank, count, variable.name(), variable.type(), Arrays.toString(first));
  }
}
