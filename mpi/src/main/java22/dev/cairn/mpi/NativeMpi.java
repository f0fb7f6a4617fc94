package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.event.TransportMissingException;
import dev.cairn.mpi.MpiFailure.Verdict;
import dev.cairn.mpi.MpiFamily.Predefined;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The C library of an MPI: its family, and its functions. */
final class NativeMpi {
  /** A handle as an argument of {@link #call}: an address or a number, as the family has it. */
  record Handle(long value) {}

  /** The name of a handle among the arguments of a function. */
  private static final String HANDLE = "handle";

  private static final int SUCCESS = 0;

  /**
   * Without a rest between the last message and MPI_Finalize, MPICH 4.0.2 over TCP hangs there in
   * one of four runs; its calls in that time, such as probes, do not help.
   */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The version of the standard interface that MPI 5.0 has. */
  private static final int STANDARD_VERSION = 1;

  /** More than any MPI's MPI_MAX_LIBRARY_VERSION_STRING, which is the longest of its texts. */
  private static final int TEXT_SIZE = 16 << 10;

  private final NativeLibrary library;
  private final MpiFamily family;
  private final String version;

  private NativeMpi(NativeLibrary library, MpiFamily family, String version) {
    this.library = library;
    this.family = family;
    this.version = version;
  }

  /** Loads the first of these libraries that there is. */
  static NativeMpi firstOf(List<String> names) {
    try {
      return of(NativeLibrary.firstOf(names));
    } catch (UnsatisfiedLinkError missing) {
      throw new TransportMissingException(
          "libmpi cannot be loaded (" + missing.getMessage() + ")", missing);
    }
  }

  private static NativeMpi of(NativeLibrary library) {
    String version = version(library);
    Optional<MpiFamily> family =
        library.isNamed(LibraryCandidates.STANDARD)
            ? standard(library)
            : MpiFamily.ofVersion(version);
    return new NativeMpi(library, family.orElseThrow(() -> unknown(library, version)), version);
  }

  /** Before MPI 5.0 was agreed on, a library of that name had other numbers. */
  private static Optional<MpiFamily> standard(NativeLibrary library) {
    boolean isStandard = major("MPI_Get_version", library) >= 5;
    boolean isKnown = isStandard && major("MPI_Abi_get_version", library) == STANDARD_VERSION;
    return isKnown ? Optional.of(MpiFamily.STANDARD) : Optional.empty();
  }

  private static TransportMissingException unknown(NativeLibrary library, String version) {
    return new TransportMissingException(
        library.name()
            + " has the binary interface of neither Open MPI nor MPICH nor MPI 5: it is '"
            + version
            + "'");
  }

  /** The first of two numbers of a version; this, too, may be asked before MPI is started. */
  private static int major(String name, NativeLibrary library) {
    MethodHandle function = library.function(name, ADDRESS, ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment major = arena.allocate(JAVA_INT);
      MemorySegment minor = arena.allocate(JAVA_INT);
      int ignored = (int) function.invokeExact(major, minor);
      return major.get(JAVA_INT, 0);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected(name, failure);
    }
  }

  /** May be asked before MPI is started. */
  private static String version(NativeLibrary library) {
    MethodHandle function = library.function("MPI_Get_library_version", ADDRESS, ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_SIZE);
      MemorySegment length = arena.allocate(JAVA_INT);
      int ignored = (int) function.invokeExact(text, length);
      return firstLine(text(text, length));
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Get_library_version", failure);
    }
  }

  /** Implementations add the options of their build, behind a comma or in further lines. */
  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("").replaceAll(",.*", "").replaceAll("\\s+", " ").trim();
  }

  MpiFamily family() {
    return family;
  }

  long predefined(Predefined object) {
    return family.predefined(object, library);
  }

  /**
   * A function that is called often. Its handles are passed as {@code long}, whatever the family
   * has.
   *
   * @param arguments the layouts of its arguments, as {@link #handle} and {@code ValueLayout} have
   *     them
   */
  MethodHandle function(String name, MemoryLayout... arguments) {
    MethodHandle function = library.function(name, arguments);
    MethodType type = function.type();
    for (int index = 0; index < arguments.length; index++) {
      if (arguments[index].equals(family.handle().withName(HANDLE))) {
        type = type.changeParameterType(index, long.class);
      }
    }
    return MethodHandles.explicitCastArguments(function, type);
  }

  /** The layout of a handle. */
  MemoryLayout handle() {
    return family.handle().withName(HANDLE);
  }

  /** Calls a function that is called rarely, with ints, segments and {@link Handle}s. */
  void call(String name, int rank, Object... arguments) {
    MemoryLayout[] layouts = Stream.of(arguments).map(this::layout).toArray(MemoryLayout[]::new);
    Object[] values =
        Stream.of(arguments).map(it -> it instanceof Handle handle ? handle.value() : it).toArray();
    int code;
    try {
      code = (int) function(name, layouts).invokeWithArguments(values);
    } catch (UnsatisfiedLinkError missing) {
      throw missing;
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected(name, failure);
    }
    if (code != SUCCESS) {
      throw failure(name, rank, code);
    }
  }

  private MemoryLayout layout(Object argument) {
    if (argument instanceof Handle) {
      return handle();
    }
    return argument instanceof Integer ? JAVA_INT : ADDRESS;
  }

  /** What a function says in its last argument but {@code arguments}: an int. */
  int asked(String name, int rank, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(JAVA_INT);
      call(name, rank, Stream.concat(Stream.of(arguments), Stream.of(answer)).toArray());
      return answer.get(JAVA_INT, 0);
    }
  }

  /** A text that a function writes; its arguments before that are given. */
  String told(String name, int rank, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_SIZE);
      MemorySegment length = arena.allocate(JAVA_INT);
      call(name, rank, Stream.concat(Stream.of(arguments), Stream.of(text, length)).toArray());
      return text(text, length);
    }
  }

  private static String text(MemorySegment text, MemorySegment length) {
    byte[] bytes = text.asSlice(0, length.get(JAVA_INT, 0)).toArray(JAVA_BYTE);
    return new String(bytes, UTF_8).trim();
  }

  /** The failure of a call that has returned {@code code}. */
  MpiFailure failure(String call, int rank, int code) {
    int errorClass = asked("MPI_Error_class", rank, code);
    String text = told("MPI_Error_string", rank, code).replaceAll("\\s*\\n\\s*", "; ");
    return new MpiFailure(
        call, rank, new Verdict(errorClass, family.kindOf(errorClass), text), null);
  }

  boolean isInitialized() {
    return asked("MPI_Initialized", MpiFailure.NO_RANK) != 0;
  }

  boolean isFinalized() {
    return asked("MPI_Finalized", MpiFailure.NO_RANK) != 0;
  }

  /** Collective. */
  void finish() {
    if (family == MpiFamily.MPICH) {
      restBeforeFinalize();
    }
    call("MPI_Finalize", MpiFailure.NO_RANK);
  }

  /** Lets the process end with its own exit code while MPI_Finalize does not return. */
  void abandon() {
    NativeLibrary.skipExitHandlers();
    if (family == MpiFamily.MPICH) {
      Hydra.leave(System.getenv());
    }
  }

  private static void restBeforeFinalize() {
    long end = System.nanoTime() + REST_NANOS;
    for (long left = REST_NANOS; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public String toString() {
    return version + " in " + library.name();
  }
}
