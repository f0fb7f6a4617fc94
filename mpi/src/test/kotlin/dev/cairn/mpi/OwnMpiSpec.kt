package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
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

        test("what MPI refuses is told in its own words, with the call and what to do")
            .config(enabled = MpiRun.isThere) {
                MpiRun.output(2, "dev.cairn.mpi.ClosedTooEarly") shouldContain
                    "refused: MPI_Comm_dup failed: MPI_ERR_COMM: invalid communicator. " +
                    "The communicator was freed: close what Cairn made of it first."
            }
    })
