package dev.cairn.examples.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.readText

/** What `examples/slurm` plays: jobs of a real Slurm. The shortest scene comes first. */
class SlurmSpec :
    FunSpec({
        test("the page leads to the job script that is played") {
            Path.of("../docs/how-to/slurm.md").readText() shouldContain "(../../examples/${Path.of("plate.sbatch")})"
        }

        val scenes = Campaign.SLURM_SCENES.firstOf(listOf("signals", "ask", "limit", "preempt", "node"))

        test("jobs end in all ways that Slurm has, and the last one with the result of an unbroken run").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(scenes.isNotEmpty()) and Slurm.isThere },
        ) {
            val (code, output) = Slurm.play(scenes)
            withClue(output) { code shouldBe 0 }
            output shouldContain "The results are the same, to the last bit"
        }
    })
