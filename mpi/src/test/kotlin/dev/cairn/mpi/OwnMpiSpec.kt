package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Programs that have started MPI themselves. */
class OwnMpiSpec :
    FunSpec({
        test("Cairn uses a communicator of the program, on its thread, and leaves MPI as it was")
            .config(enabled = MpiRun.isThere) {
                MpiRun
                    .output(
                        5,
                        "dev.cairn.mpi.OwnMpi",
                    ).lines()
                    .filter { ": rank" in it } shouldContainExactlyInAnyOrder
                    listOf(3, 2).flatMap { count -> (0 until count).map { "right: rank $it of $count" } }
            }

        test("they go on from a checkpoint with other processes, and all that Cairn calls is on their thread")
            .config(enabled = MpiRun.isThere) {
                val store = tempdir().toPath().resolve("own.cairn")

                fun sentence(
                    processes: Int,
                    solvers: Int,
                    until: Int,
                ) = MpiRun
                    .output(processes, "dev.cairn.mpi.OwnRestart", "$store", "$solvers", "$until")
                    .lines()
                    .single { "solvers from" in it }

                sentence(processes = 5, solvers = 3, until = 7) shouldBe "3 solvers from step 0: ${after(steps = 7)}"
                sentence(processes = 3, solvers = 2, until = 13) shouldBe "2 solvers from step 5: ${after(steps = 13)}"
                sentence(processes = 4, solvers = 4, until = 20) shouldBe "4 solvers from step 10: ${after(steps = 20)}"
            }

        test("a thread of which MPI knows nothing is refused").config(enabled = MpiRun.isThere) {
            MpiRun.output(2, "dev.cairn.mpi.SecondThread").lines().filter { it.startsWith("refused: ") } shouldBe
                List(2) {
                    "refused: MPI was told of the thread 'main' alone, but 'second' calls it. Call Cairn on 'main' only."
                }
        }

        test("what MPI refuses is told in its own words, with the call and what to do")
            .config(enabled = MpiRun.isThere) {
                MpiRun.output(2, "dev.cairn.mpi.ClosedTooEarly") shouldContain
                    "refused: MPI_Comm_dup failed: MPI_ERR_COMM: invalid communicator. " +
                    "The communicator was freed: close what Cairn made of it first."
            }
    })

/** Cell n, from 1 to 60, has grown by n in each step. */
private fun after(steps: Int): String {
    val total = steps * (1..60).sum()
    val weighted = steps * (1..60).sumOf { it * it }
    return "cells $weighted, total $total, visits ${60 * steps}, grains 30, at home 30, stray calls 0"
}
