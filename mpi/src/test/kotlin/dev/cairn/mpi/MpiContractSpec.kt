package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan

/** The contract of communicators among processes. */
class MpiContractSpec :
    FunSpec({
        for (count in listOf(1, 2, 3, 4, 8)) {
            test("$count processes keep the contract of communicators").config(enabled = MpiRun.isThere) {
                val output = MpiRun.output(count, "dev.cairn.comm.LaunchedContractKt")
                val kept = output.lines().count { it.startsWith("kept: ") }
                println("MPI tests under mpirun -np $count: $kept passed")
                kept shouldBeGreaterThan 25
            }
        }
    })
