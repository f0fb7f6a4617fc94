package dev.cairn.mpi;

import java.lang.reflect.Constructor;
import mpi.MPI;
import mpi.MPIException;

/** The same through the bindings, and failures to which MPI cannot be brought here. */
public final class BindingsRefusedCalls {
  private BindingsRefusedCalls() {}

  /** For one process alone. */
  public static void main(String[] args) {
    MpiWorld world = BindingsRuntime.start();
    RefusedCalls.print("no memory", () -> fail(MPI.ERR_NO_MEM, "MPI_ERR_NO_MEM: out of memory"));
    RefusedCalls.print(
        "another failure", () -> fail(MPI.ERR_OTHER, "MPI_ERR_OTHER: known error not in list"));
    RefusedCalls.print(world);
  }

  /** What the bindings would throw. */
  private static void fail(int errorClass, String text) {
    try {
      Constructor<MPIException> thrown =
          MPIException.class.getDeclaredConstructor(int.class, int.class, String.class);
      thrown.setAccessible(true);
      throw thrown.newInstance(errorClass, errorClass, text);
    } catch (MPIException failure) {
      throw BindingsFailure.of("MPI_Isend of 100 bytes to rank 0", RefusedCalls.SELF, failure);
    } catch (ReflectiveOperationException other) {
      throw new LinkageError("Open MPI's exceptions are made in another way now", other);
    }
  }
}
