package dev.cairn.mpi

import dev.cairn.house.needs
import dev.cairn.mpi.MpiWay.BINDINGS
import dev.cairn.mpi.MpiWay.MPICH
import dev.cairn.mpi.MpiWay.OPEN_MPI
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path

private const val ELSE = "Look at what mpirun printed: the network, the launcher or another rank may have failed."

/** What is said of calls that MPI refuses: the call, the rank, MPI's own text, and what to do. */
class MpiFailureSpec :
    FunSpec({
        fun said(way: MpiWay, program: String): Map<String, String> =
            sentencesOf(way.output(1, "dev.cairn.mpi.$program"))

        fun shouldSay(way: MpiWay, program: String, sentences: Map<String, String>) {
            val said = said(way, program)
            for ((what, sentence) in sentences) withClue(what) { said[what] shouldBe sentence }
        }

        test("the Java bindings").config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
            shouldSay(BINDINGS, "BindingsRefusedCalls", OF_OPEN_MPI + ONLY_THROWN)
        }

        test("Open MPI's library").config(enabledOrReasonIf = needs { OPEN_MPI.isUsed }) {
            shouldSay(OPEN_MPI, "RefusedCalls", OF_OPEN_MPI)
        }

        test(
            "MPICH's library, which has other words for the same, and ends the job itself if a receive fails that has begun",
        ).config(enabledOrReasonIf = needs { MPICH.isUsed }) {
            val output = MPICH.start(1, "dev.cairn.mpi.RefusedCalls").inputReader().readText()
            output shouldContain "Message truncated"
            val said = sentencesOf(output)
            for ((what, sentence) in OF_OPEN_MPI - "longer than announced") {
                said.getValue(what) shouldStartWith sentence.substringBefore("MPI_ERR")
                said.getValue(what) shouldEndWith sentence.substringAfterLast(REMEDY)
            }
            said.getValue("no such rank") shouldContain
                "Invalid rank has value 1 but must be nonnegative and less than 1"
        }

        test("the native half of the bindings is missing").config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val classPath = System.getProperty("java.class.path") + ":" + MpiRun.home.resolve("lib/mpi.jar")
            val options = listOf("-Djava.library.path=/nowhere", "-cp", classPath)
            val command = listOf("$java") + options + "dev.cairn.mpi.BindingsStartedAlone"
            ProcessBuilder(command).start().inputReader().readText() shouldContain
                "Start the program with -Djava.library.path=DIRECTORY, where DIRECTORY has libmpi_java.so and is of " +
                "the same Open MPI as mpi.jar and mpirun."
        }
    })

private fun sentencesOf(output: String): Map<String, String> =
    output.lines().filter { ": " in it }.associate { it.substringBefore(": ") to it.substringAfter(": ") }

/** Where the remedy begins, behind MPI's own text. */
private const val REMEDY = ". "

private val OF_OPEN_MPI =
    mapOf(
        "no such rank" to
            "MPI_Isend of 10 bytes to rank 1 failed on rank 0: MPI_ERR_RANK: invalid rank. " +
            "There is no such rank: please report this.",
        "no such tag" to
            "MPI_Isend of 10 bytes to rank 0 failed on rank 0: MPI_ERR_TAG: invalid tag. " +
            "This network takes smaller tags only: please report this.",
        "longer than announced" to
            "MPI_Irecv from rank 0 failed on rank 0: MPI_ERR_TRUNCATE: message truncated. " +
            "A message was longer than announced: please report this.",
        "no such size" to
            "MPI_Isend of -1 bytes to rank 0 failed on rank 0: MPI_ERR_COUNT: invalid count argument. $ELSE",
    )

/** Failures that only the exceptions of the bindings tell of here. */
private val ONLY_THROWN =
    mapOf(
        "no memory" to
            "MPI_Isend of 100 bytes to rank 0 failed on rank 0: MPI_ERR_NO_MEM: out of memory. " +
            "MPI has no memory left: send less at once, or give the job more.",
        "another failure" to
            "MPI_Isend of 100 bytes to rank 0 failed on rank 0: MPI_ERR_OTHER: known error not in list. $ELSE",
    )
