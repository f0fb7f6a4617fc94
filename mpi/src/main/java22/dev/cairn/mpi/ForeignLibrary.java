package dev.cairn.mpi;

import static java.lang.System.Logger.Level.WARNING;

import dev.cairn.event.TransportMissingException;
import dev.cairn.mpi.MpiFamily.Predefined;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The machine's MPI: found and loaded once, when it is first asked for; started and ended here. */
final class ForeignLibrary {
  private static final System.Logger LOG = System.getLogger(ForeignLibrary.class.getName());

  private static @Nullable NativeMpi loaded;

  private ForeignLibrary() {}

  static @Nullable String obstacle() {
    try {
      load();
      return null;
    } catch (TransportMissingException missing) {
      return Objects.requireNonNull(missing.getMessage());
    }
  }

  private static synchronized NativeMpi load() {
    NativeMpi mpi = loaded;
    if (mpi == null) {
      requireLinux();
      mpi = loadWithPermission();
      loaded = mpi;
    }
    return mpi;
  }

  private static void requireLinux() {
    String system = System.getProperty("os.name");
    if (!system.equals("Linux")) {
      throw new TransportMissingException(
          "Cairn knows libmpi on Linux only, and this is " + system);
    }
  }

  private static NativeMpi loadWithPermission() {
    Module module = ForeignLibrary.class.getModule();
    String option =
        "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    if (!module.isNativeAccessEnabled()) {
      LOG.log(
          WARNING,
          "Java was started without {0}: it may warn of calls of libmpi, and a later Java refuses"
              + " them. Write the option behind the word java.",
          option);
    }
    try {
      List<String> names =
          LibraryCandidates.of(System.getProperty(LibraryCandidates.PROPERTY), System.getenv());
      return NativeMpi.firstOf(names);
    } catch (IllegalCallerException refused) {
      throw new TransportMissingException(
          "Java refuses to call native code; write " + option + " behind the word java", refused);
    }
  }

  /** Collective: MPI is initialised for a single thread; more would be correct, but much slower. */
  static MpiWorld start() {
    NativeMpi mpi = load();
    if (mpi.isInitialized()) {
      throw new IllegalStateException(
          "The program has started MPI itself: pass its communicator to ForeignMpi.over.");
    }
    MemorySegment none = MemorySegment.NULL;
    int funneled = mpi.family().threadFunneled();
    int level = mpi.asked("MPI_Init_thread", MpiFailure.NO_RANK, none, none, funneled);
    if (level < funneled) {
      LOG.log(
          WARNING,
          "{0} was built for programs of a single thread, which no Java program is. Take one that"
              + " was built for threads.",
          mpi);
    }
    ForeignComm world = ForeignComm.over(mpi, mpi.predefined(Predefined.COMM_WORLD));
    return new MpiWorld(world, mpi::finish, mpi::abandon);
  }

  /** Collective: a copy of the MPI_Comm {@code handle}. */
  static MpiComm over(long handle) {
    NativeMpi mpi = load();
    requireStarted(mpi);
    requireThread(mpi);
    return ForeignComm.over(mpi, handle);
  }

  private static void requireStarted(NativeMpi mpi) {
    if (mpi.isFinalized()) {
      throw new IllegalStateException(
          "MPI has ended: call ForeignMpi.over and close before MPI_Finalize.");
    }
    if (!mpi.isInitialized()) {
      throw new IllegalStateException(
          "MPI is not started yet: call MPI_Init before ForeignMpi.over, and MPI_Finalize after"
              + " close.");
    }
  }

  /** With MPI_Init or MPI_THREAD_FUNNELED, only the thread that started MPI may call it. */
  private static void requireThread(NativeMpi mpi) {
    int level = mpi.asked("MPI_Query_thread", MpiFailure.NO_RANK);
    boolean isStarter = mpi.asked("MPI_Is_thread_main", MpiFailure.NO_RANK) != 0;
    if (level <= mpi.family().threadFunneled() && !isStarter) {
      throw new IllegalStateException(
          "MPI was started by another thread, for that thread alone, but '%s' calls ForeignMpi.over."
              .formatted(Thread.currentThread().getName()));
    }
  }
}
