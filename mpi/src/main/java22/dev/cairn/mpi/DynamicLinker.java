package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of C that load libraries. An object, since Java may refuse to call them, and a
 * static initialiser would hide why.
 */
final class DynamicLinker {
  /** RTLD_NOW and RTLD_GLOBAL, as Linux has them: plug-ins of a library find its symbols. */
  private static final int NOW_AND_GLOBAL = 0x102;

  /** RTLD_NOLOAD: a library that is loaded already, and no other. */
  private static final int ONLY_LOADED = 0x4;

  private final MethodHandle dlopen =
      NativeLibrary.ofC("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  private final MethodHandle dlsym =
      NativeLibrary.ofC("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
  private final MethodHandle dlerror = NativeLibrary.ofC("dlerror", FunctionDescriptor.of(ADDRESS));

  /** The handle of a library; null, as C has it, if it cannot be loaded. */
  MemorySegment open(String name) {
    return open(name, NOW_AND_GLOBAL);
  }

  /** The handle of a library that this process has loaded already; null, as C has it, if not. */
  MemorySegment find(String name) {
    return open(name, NOW_AND_GLOBAL | ONLY_LOADED);
  }

  private MemorySegment open(String name, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      return (MemorySegment) dlopen.invokeExact(arena.allocateFrom(name), mode);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("dlopen", failure);
    }
  }

  /** The linker forgets its text at the next call of it, and Java makes such calls, too. */
  String lastError(String name) {
    try {
      MemorySegment text = (MemorySegment) dlerror.invokeExact();
      return text.address() == 0
          ? name + " cannot be loaded"
          : text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("dlerror", failure);
    }
  }

  /** The address of a symbol of a library; null, as C has it, if there is none. */
  MemorySegment symbol(MemorySegment handle, String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      return (MemorySegment) dlsym.invokeExact(handle, arena.allocateFrom(symbol));
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("dlsym", failure);
    }
  }
}
