package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * A shared library of this process, which is never unloaded. Java's own loader would hide its
 * symbols from the plug-ins that MPI loads later, so {@code dlopen} is called here.
 */
final class NativeLibrary {
  private static final Linker LINKER = Linker.nativeLinker();

  private final DynamicLinker linker;
  private final String name;
  private final MemorySegment handle;

  private NativeLibrary(DynamicLinker linker, String name, MemorySegment handle) {
    this.linker = linker;
    this.name = name;
    this.handle = handle;
  }

  /**
   * The first of these that this process has loaded already, or else the first that can be loaded.
   *
   * @throws UnsatisfiedLinkError with what the dynamic linker says of each
   * @throws IllegalCallerException if Java refuses calls of native code
   */
  static NativeLibrary firstOf(List<String> names) {
    DynamicLinker linker = new DynamicLinker();
    for (String name : names) {
      MemorySegment handle = linker.find(name);
      if (handle.address() != 0) {
        return new NativeLibrary(linker, name, handle);
      }
    }
    StringBuilder refusals = new StringBuilder();
    for (String name : names) {
      MemorySegment handle = linker.open(name);
      if (handle.address() != 0) {
        return new NativeLibrary(linker, name, handle);
      }
      refusals.append(refusals.isEmpty() ? "" : "; ").append(linker.lastError(name));
    }
    throw new UnsatisfiedLinkError(refusals.toString());
  }

  static MethodHandle ofC(String function, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().find(function).orElseThrow(), descriptor);
  }

  /** The name under which it was found. */
  String name() {
    return name;
  }

  /** Whether the name of its file begins like this. */
  boolean isNamed(String beginning) {
    return name.substring(name.lastIndexOf('/') + 1).startsWith(beginning);
  }

  /** The address of a function or an object. */
  MemorySegment symbol(String symbol) {
    MemorySegment address = linker.symbol(handle, symbol);
    if (address.address() == 0) {
      throw new UnsatisfiedLinkError(name + " has no " + symbol);
    }
    return address;
  }

  /** A function that returns an int, as all of MPI's do. */
  MethodHandle function(String function, MemoryLayout... arguments) {
    return LINKER.downcallHandle(symbol(function), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** Ends this process at once; libraries do not hear of it. */
  static void endProcess(int exitCode) {
    try {
      ofC("_exit", FunctionDescriptor.ofVoid(JAVA_INT)).invokeExact(exitCode);
    } catch (Throwable failure) {
      throw unexpected("_exit", failure);
    }
  }

  /**
   * The process ends with its exit code, but without the handlers that libraries have registered
   * for that: those of an MPI that hangs could hang, too. The GNU library has {@code on_exit};
   * elsewhere nothing changes.
   */
  static void skipExitHandlers() {
    LINKER
        .defaultLookup()
        .find("on_exit")
        .ifPresent(
            function -> {
              MethodHandle register =
                  LINKER.downcallHandle(
                      function, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
              // It is called first, with the exit code as its first argument.
              MemorySegment end = LINKER.defaultLookup().find("_exit").orElseThrow();
              try {
                int ignored = (int) register.invokeExact(end, MemorySegment.NULL);
              } catch (Throwable failure) {
                throw unexpected("on_exit", failure);
              }
            });
  }

  /** Calls of C throw nothing; only Java's side of the call can fail. */
  static LinkageError unexpected(String function, Throwable failure) {
    return new LinkageError("the call of " + function + " failed in Java", failure);
  }
}
