package dev.cairn.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names under which libmpi may be found, in the order in which they are tried. A name without a
 * slash is looked for by the dynamic linker: in {@code LD_LIBRARY_PATH}, then where the system
 * keeps its libraries.
 *
 * <p>Only libraries that the launcher can have started are named: with those of another MPI, each
 * process would believe itself to be alone. Whose library has the standard interface, its name does
 * not tell, so it comes last.
 */
final class LibraryCandidates {
  static final String PROPERTY = "cairn.mpi.library";

  private static final List<String> OPEN_MPI = List.of("libmpi.so.40", "libmpi.so");

  /** MPICH, Intel MPI, MVAPICH and Cray MPICH share the first; Debian calls MPICH by the second. */
  private static final List<String> MPICH = List.of("libmpi.so.12", "libmpich.so.12", "libmpi.so");

  /** How the names begin of libraries with the binary interface of MPI 5, whoever has made them. */
  static final String STANDARD = "libmpi_abi.so";

  private static final List<String> STANDARDS = List.of(STANDARD + ".1", STANDARD);

  private LibraryCandidates() {}

  static List<String> of(@Nullable String setting, Map<String, String> environment) {
    if (setting != null) {
      return List.of(setting);
    }
    List<String> names = new ArrayList<>();
    boolean byOpenMpi = hasAny(environment, "OMPI_COMM_WORLD_SIZE", "PMIX_RANK");
    boolean byMpich = hasAny(environment, "PMI_RANK", "PMI_FD", "PMI_PORT");
    if (byOpenMpi || !byMpich) {
      names.addAll(inDirectory(environment.get("OPAL_PREFIX"), "lib", OPEN_MPI));
      names.addAll(OPEN_MPI);
    }
    if (byMpich || !byOpenMpi) {
      names.addAll(inDirectory(environment.get("I_MPI_ROOT"), "lib/release", MPICH));
      names.addAll(inDirectory(environment.get("I_MPI_ROOT"), "lib", MPICH));
      names.addAll(inDirectory(environment.get("CRAY_MPICH_DIR"), "lib-abi-mpich", MPICH));
      names.addAll(MPICH);
    }
    names.addAll(STANDARDS);
    return names.stream().distinct().toList();
  }

  private static boolean hasAny(Map<String, String> environment, String... variables) {
    return Stream.of(variables).anyMatch(environment::containsKey);
  }

  private static List<String> inDirectory(
      @Nullable String prefix, String directory, List<String> names) {
    return prefix == null
        ? List.of()
        : names.stream().map(name -> prefix + "/" + directory + "/" + name).toList();
  }
}
