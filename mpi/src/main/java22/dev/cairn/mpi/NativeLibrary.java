package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
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
  /** RTLD_NOW and RTLD_GLOBAL, as Linux has them. */
  private static final int NOW_AND_GLOBAL = 0x102;

  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle DLOPEN =
      ofC("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle DLSYM =
      ofC("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle DLERROR = ofC("dlerror", FunctionDescriptor.of(ADDRESS));

  private final String name;
  private final MemorySegment handle;

  private NativeLibrary(String name, MemorySegment handle) {
    this.name = name;
    this.handle = handle;
  }

  /**
   * The first of these that can be loaded.
   *
   * @throws UnsatisfiedLinkError with what the dynamic linker says of each
   */
  static NativeLibrary firstOf(List<String> names) {
    StringBuilder refusals = new StringBuilder();
    for (String name : names) {
      MemorySegment handle = open(name);
      if (handle.address() != 0) {
        return new NativeLibrary(name, handle);
      }
      refusals.append(refusals.isEmpty() ? "" : "; ").append(lastError(name));
    }
    throw new UnsatisfiedLinkError(refusals.toString());
  }

  private static MemorySegment open(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return (MemorySegment) DLOPEN.invokeExact(arena.allocateFrom(name), NOW_AND_GLOBAL);
    } catch (Throwable failure) {
      throw unexpected("dlopen", failure);
    }
  }

  /** The linker forgets its text at the next call of it, and Java makes such calls, too. */
  private static String lastError(String name) {
    try {
      MemorySegment text = (MemorySegment) DLERROR.invokeExact();
      return text.address() == 0
          ? name + " cannot be loaded"
          : text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable failure) {
      throw unexpected("dlerror", failure);
    }
  }

  private static MethodHandle ofC(String function, FunctionDescriptor descriptor) {
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = (MemorySegment) DLSYM.invokeExact(handle, arena.allocateFrom(symbol));
      if (address.address() == 0) {
        throw new UnsatisfiedLinkError(name + " has no " + symbol);
      }
      return address;
    } catch (UnsatisfiedLinkError missing) {
      throw missing;
    } catch (Throwable failure) {
      throw unexpected("dlsym", failure);
    }
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

  /** Calls of C throw nothing; only Java's side of the call can fail. */
  static LinkageError unexpected(String function, Throwable failure) {
    return new LinkageError("the call of " + function + " failed in Java", failure);
  }
}
