package dev.cairn.mpi

import dev.cairn.house.Campaign.MPI_FAILURE_WAYS
import dev.cairn.house.Campaign.MPI_WAYS
import dev.cairn.house.Campaign.PROCESSES
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan

/** The contract of communicators among processes. */
@Tags(JDK_DEPENDENT)
class MpiContractSpec :
    FunSpec({
        fun shouldKeepContract(way: MpiWay, count: Int, vararg provider: String) {
            val output = way.output(count, "dev.cairn.ranks.LaunchedContractKt", *provider)
            val kept = output.lines().count { it.startsWith("kept: ") }
            println("contract of communicators, $count processes of $way: $kept promises kept")
            kept shouldBeGreaterThan 25
        }

        val counts = listOf(1, 2, 3, 4, 8)
        val most = counts.last { it <= PROCESSES.count }
        val withAllCounts = MpiWay.drawn(MPI_FAILURE_WAYS)

        for (way in MpiWay.drawn(MPI_WAYS)) {
            for (count in counts) {
                val isChosen = count == most || (count < most && way in withAllCounts)
                test("$way: $count processes keep the contract of communicators")
                    .config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(isChosen) and way.isUsed }) {
                        shouldKeepContract(way, count)
                    }
            }

            test(way, "so do processes on a network that takes small tags only") {
                val provider = if (way == MpiWay.BINDINGS) "NarrowBindingsProvider" else "NarrowForeignProvider"
                shouldKeepContract(way, PROCESSES.limit(4), "dev.cairn.mpi.$provider")
            }
        }
    })
