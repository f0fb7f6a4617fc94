package dev.cairn.mpi;

import dev.cairn.mpi.MpiFamily.Predefined;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A program that has loaded MPICH itself, and was started without a launcher: nothing else tells
 * which MPI it has.
 */
public final class OwnMpich {
  private OwnMpich() {}

  /** Prints how many ranks Cairn finds. */
  public static void main(String[] args) {
    NativeMpi mpi = NativeMpi.firstOf(List.of("libmpich.so.12"));
    int ignored =
        mpi.asked(
            "MPI_Init_thread",
            -1,
            MemorySegment.NULL,
            MemorySegment.NULL,
            mpi.family().threadFunneled());
    try (ForeignMpi cairn = ForeignMpi.over(mpi.predefined(Predefined.COMM_WORLD))) {
      System.out.println("ranks: " + cairn.ranks().size());
    }
    mpi.call("MPI_Finalize", -1);
  }
}
