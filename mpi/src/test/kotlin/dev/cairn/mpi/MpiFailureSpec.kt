package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

private const val ELSE = "Look at what mpirun printed: the network, the launcher or another rank may have failed."

/** What is said of calls that MPI refuses: the call, the rank, MPI's own text, and what to do. */
class MpiFailureSpec :
    FunSpec({
        val said by lazy {
            MpiRun
                .output(1, "dev.cairn.mpi.RefusedCalls")
                .lines()
                .filter { ": " in it }
                .associate { it.substringBefore(": ") to it.substringAfter(": ") }
        }

        for ((what, sentence) in mapOf(
            "no such rank" to
                "MPI_Isend of 10 bytes to rank 1 failed on rank 0: MPI_ERR_RANK: invalid rank. " +
                "There is no such rank: please report this.",
            "no such tag" to
                "MPI_Isend of 10 bytes to rank 0 failed on rank 0: MPI_ERR_TAG: invalid tag. " +
                "This network takes smaller tags only: please report this.",
            "longer than announced" to
                "MPI_Recv from rank 0 failed on rank 0: MPI_ERR_TRUNCATE: message truncated. " +
                "A message was longer than announced: please report this.",
            "no memory" to
                "MPI_Isend of 100 bytes to rank 0 failed on rank 0: MPI_ERR_NO_MEM: out of memory. " +
                "MPI has no memory left: send less at once, or give the job more.",
            "another failure" to
                "MPI_Isend of 100 bytes to rank 0 failed on rank 0: MPI_ERR_OTHER: known error not in list. $ELSE",
            "no such size" to
                "MPI_Isend of -1 bytes to rank 0 failed on rank 0: MPI_ERR_COUNT: invalid count argument. $ELSE",
        )) {
            test(what).config(enabled = MpiRun.isThere) { said[what] shouldBe sentence }
        }

        test("the native half of the bindings is missing").config(enabled = MpiRun.isThere) {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val classPath = System.getProperty("java.class.path") + ":" + MpiRun.home.resolve("lib/mpi.jar")
            val options = listOf("-Djava.library.path=/nowhere", "-cp", classPath)
            val command = listOf("$java") + options + "dev.cairn.mpi.StartedAlone"
            ProcessBuilder(command).start().inputReader().readText() shouldContain
                "Start the program with -Djava.library.path=DIRECTORY, where DIRECTORY has libmpi_java.so and is of " +
                "the same Open MPI as mpi.jar and mpirun."
        }
    })
