package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.string.shouldContain

/** Programs under mpirun that check their restart while they run. */
class CheckedRestartSpec :
    FunSpec({
        val count = Campaign.PROCESSES.limit(3)
        val directory = tempdir().toPath()

        fun told(name: String, faultyRank: Int) =
            MpiWay.BINDINGS
                .output(count, "dev.cairn.mpi.CheckedRestart", "${directory.resolve(name)}", "$faultyRank")
                .lines()
                .filter { it.startsWith("rank ") }

        test("one that restores all of its state continues as if unchecked").config(
            enabledOrReasonIf = needs { MpiWay.BINDINGS.isUsed },
        ) {
            told("right.cairn", faultyRank = -1) shouldContainExactlyInAnyOrder
                List(count) { "rank $it: continued to time 4 with ${4 * (it + 1)}" }
        }

        test(
            "a value that one rank drops is told on all ranks",
        ).config(enabledOrReasonIf = needs { MpiWay.BINDINGS.isUsed }) {
            val sentence =
                "check-restart: save 1 (step 1) was restored into the program, which held the state of save 2 " +
                    "(step 2). The replicated 'time' should be what save 1 holds, but on rank 1 it is still what save 2 holds."
            val lines = told("faulty.cairn", faultyRank = 1).sorted()
            lines shouldHaveSize count
            lines.forEachIndexed { rank, line -> line shouldContain "rank $rank: [time], $sentence" }
        }
    })
