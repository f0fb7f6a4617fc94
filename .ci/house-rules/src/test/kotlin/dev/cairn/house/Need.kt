package dev.cairn.house

import io.kotest.core.test.Enabled
import java.io.File
import java.nio.file.Files
import java.nio.file.Path

/** What a test needs, and a machine or a build may lack; [reason] says how to get it. The end of a build counts what each leaves out. */
enum class Need(val reason: String) {
    MPI("no MPI (mpi/setup; or apt install openmpi-bin or mpich, and a JDK 22 or later)"),
    NAMED_MPI("not with the MPIs that were chosen (-Dcairn.mpi.ways)"),
    BINDINGS("no Java bindings of Open MPI (mpi/setup)"),
    OPEN_MPI("no Open MPI that Java can call (apt install openmpi-bin, and a JDK 22 or later)"),
    MPICH("no MPICH that Java can call (apt install mpich libmpich12, and a JDK 22 or later)"),
    C_COMPILER("no C compiler (apt install gcc libc6-dev)"),
    HOSTS("several hosts cannot be made on this machine (root, with namespaces and the command ip; see mpi/hosts)"),
    SLURM("no Slurm (root; apt install slurm-wlm munge openmpi-bin mpich, and a JDK 22 or later; see mpi/slurm)"),
    MOUNTS("file systems cannot be mounted (root, or namespaces of users)"),
    LOCALES("no German locale (apt install locales)"),
    NETCDF("no programs of NetCDF (apt install netcdf-bin python3-netcdf4)"),
    PYTHON("no Python (apt install python3)"),
    CHROMIUM("no browser (apt install chromium)"),
    SCRIPT("no command 'script' (apt install bsdutils)"),
    SHELLCHECK("no shellcheck (apt install shellcheck)"),
    ZSTD("the command zstd was not named (-Dcairn.zstd=/usr/bin/zstd)"),
    SION_TOOLS("the C library's tools were not named (-Dcairn.sion.tools=DIR)"),
    OLD_JDK("Maven runs on a later JDK (JAVA_HOME with a JDK 17 to 21)"),
    NATIVE_ACCESS("no JDK that can refuse calls of native code (JDK 24 or later)"),
    JAVADOC("no javadoc was made (-Prelease)"),
    INTERRUPTS("SIGINT is ignored, as in the background of a script (start the build in the foreground)"),
    CAMPAIGN("for larger campaigns only (.ci/run; see docs/testing.md)"),
    ;

    fun given(isThere: Boolean): Enabled = if (isThere) Enabled.enabled else Enabled.disabled(reason)
}

fun isOnPath(command: String): Boolean =
    System.getenv("PATH").split(File.pathSeparator).any { Files.isExecutable(Path.of(it, command)) }

/** Both are needed; the reason is that of the first one that is missing. */
infix fun Enabled.and(other: Enabled): Enabled = if (isEnabled) other else this
