package dev.cairn.mpi

import dev.cairn.house.Campaign.PROCESSES
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan

/** The contract of communicators among processes. */
class MpiContractSpec :
    FunSpec({
        fun shouldKeepContract(
            count: Int,
            vararg provider: String,
        ) {
            val output = MpiRun.output(count, "dev.cairn.ranks.LaunchedContractKt", *provider)
            val kept = output.lines().count { it.startsWith("kept: ") }
            println("MPI tests under mpirun -np $count: $kept passed")
            kept shouldBeGreaterThan 25
        }

        for (count in listOf(1, 2, 3, 4, 8).filter { it <= PROCESSES.count }) {
            test("$count processes keep the contract of communicators").config(enabled = MpiRun.isThere) {
                shouldKeepContract(count)
            }
        }

        test("so do processes on a network that takes small tags only").config(enabled = MpiRun.isThere) {
            shouldKeepContract(PROCESSES.limit(4), "dev.cairn.mpi.NarrowProvider")
        }
    })
