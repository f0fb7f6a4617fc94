package dev.cairn.mpi

import dev.cairn.house.Campaign.PROCESSES
import dev.cairn.house.needs
import dev.cairn.mpi.MpiWay.BINDINGS
import dev.cairn.mpi.MpiWay.MPICH
import dev.cairn.mpi.MpiWay.OPEN_MPI
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Programs that have started MPI themselves. */
class OwnMpiSpec :
    FunSpec({
        test("Cairn uses a communicator of the program, on its thread, and leaves MPI as it was")
            .config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
                val processes = PROCESSES.limit(5)
                val halves = listOf((processes + 1) / 2, processes / 2)
                BINDINGS
                    .output(processes, "dev.cairn.mpi.OwnMpi")
                    .lines()
                    .filter { ": rank" in it } shouldContainExactlyInAnyOrder
                    halves.flatMap { count -> (0 until count).map { "right: rank $it of $count" } }
            }

        test("they continue from a checkpoint with other processes, and Cairn makes all calls on their thread")
            .config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
                val store = tempdir().toPath().resolve("own.cairn")

                fun shouldGoOn(processes: Int, solvers: Int, from: Int, until: Int) =
                    BINDINGS
                        .output(processes, "dev.cairn.mpi.OwnRestart", "$store", "$solvers", "$until")
                        .lines()
                        .single { "solvers from" in it } shouldBe "$solvers solvers from step $from: ${after(until)}"

                val most = PROCESSES.limit(5)
                shouldGoOn(processes = most, solvers = (most + 1) / 2, from = 0, until = 7)
                shouldGoOn(processes = PROCESSES.limit(3), solvers = 2, from = 5, until = 13)
                shouldGoOn(processes = PROCESSES.limit(4), solvers = PROCESSES.limit(4), from = 10, until = 20)
            }

        test("a thread of which MPI knows nothing is refused").config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
            BINDINGS.output(2, "dev.cairn.mpi.SecondThread").lines().filter { it.startsWith("refused: ") } shouldBe
                List(2) {
                    "refused: MPI was initialised for the thread 'main' alone, but 'second' calls it. Call Cairn on 'main' only."
                }
        }

        test("what MPI refuses is told in its own words, with the call and what to do")
            .config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
                BINDINGS.output(2, "dev.cairn.mpi.ClosedTooEarly") shouldContain
                    "refused: MPI_Comm_dup failed: MPI_ERR_COMM: invalid communicator. " +
                    "The communicator was freed: close what Cairn made of it first."
            }
        for (way in listOf(OPEN_MPI, MPICH)) {
            test(way, "Cairn takes a raw communicator of a program that calls the library itself") {
                val processes = PROCESSES.limit(5)
                val halves = listOf((processes + 1) / 2, processes / 2)
                way
                    .output(processes, "dev.cairn.mpi.OwnForeignMpi")
                    .lines()
                    .filter { ": rank" in it } shouldContainExactlyInAnyOrder
                    halves.flatMap { count -> (0 until count).map { "right: rank $it of $count" } }
            }

            test(way, "a call that comes too early, too late or on another thread is refused in Java") {
                way
                    .output(
                        2,
                        "dev.cairn.mpi.UntimelyForeign",
                    ).lines()
                    .filter { ": " in it } shouldContainExactlyInAnyOrder
                    (0..1).flatMap(::saidOfUntimelyForeignCalls)
            }
        }

        test("a call that comes too early or too late is refused in Java, and MPI does not end the job for it")
            .config(enabledOrReasonIf = needs { BINDINGS.isUsed }) {
                BINDINGS
                    .output(
                        2,
                        "dev.cairn.mpi.Untimely",
                    ).lines()
                    .filter { ": " in it } shouldContainExactlyInAnyOrder
                    (0..1).flatMap(::saidOfUntimelyCalls)
            }
    })

private fun saidOfUntimelyCalls(rank: Int): List<String> {
    val uses = "rank $rank of 2 uses a communicator of Cairn's that"
    val closed = "$uses is closed already: close it after the last call of Cairn."
    val ended = "$uses was not closed when MPI ended: close Cairn before MPI_Finalize."
    return listOf(
        "before MPI.Init: MPI is not started yet: call MPI.Init before Cairn.over, and MPI.Finalize after close.",
        "barrier after close: $closed",
        "send after close: $closed",
        "abort after close: $closed",
        "close after close: taken",
        "barrier after MPI.Finalize: $ended",
        "close after MPI.Finalize: $ended",
        "over after MPI.Finalize: MPI has ended: call Cairn.over and close before MPI.Finalize.",
    )
}

private fun saidOfUntimelyForeignCalls(rank: Int): List<String> {
    val uses = "rank $rank of 2 uses a communicator of Cairn's that"
    return listOf(
        "before MPI_Init: MPI is not started yet: call MPI_Init before ForeignMpi.over, and MPI_Finalize after close.",
        "over on a second thread: MPI was started by another thread, for that thread alone, but 'second' calls " +
            "ForeignMpi.over.",
        "barrier after close: $uses is closed already: close it after the last call of Cairn.",
        "close after close: taken",
        "barrier after MPI_Finalize: $uses was not closed when MPI ended: close Cairn before MPI_Finalize.",
        "over after MPI_Finalize: MPI has ended: call ForeignMpi.over and close before MPI_Finalize.",
    )
}

/** Cell n, from 1 to 60, has grown by n in each step. */
private fun after(steps: Int): String {
    val total = steps * (1..60).sum()
    val weighted = steps * (1..60).sumOf { it * it }
    return "cells $weighted, total $total, visits ${60 * steps}, grains 30, at home 30, stray calls 0"
}
