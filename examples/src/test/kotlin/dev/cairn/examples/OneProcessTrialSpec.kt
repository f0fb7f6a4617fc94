package dev.cairn.examples

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Trials of the other examples that are one process. */
class OneProcessTrialSpec :
    FunSpec({
        val trials =
            mapOf<String, (Path) -> RestartTrial.Report>(
                "swing" to { RestartTrial(50_000).withEvery(25_000).runMain(it, "dev.cairn.examples.SwingKt") },
                "ant" to { RestartTrial(2_000).withEvery(1_000).runMain(it, "dev.cairn.examples.Ant", "5000") },
                "sampler" to { RestartTrial(120).withEvery(20).withInputs(settings()).runMain(it, SAMPLER, SETTINGS) },
            )
        val seen =
            mapOf(
                "swing" to "1 item over 4 steps",
                "ant" to "3 items over 5 steps",
                "sampler" to "72 items and 3 outputs over 10 steps",
            )
        val chosen = Campaign.STARTED_PROGRAMS.someOf(trials.keys.toList())

        for ((name, tried) in trials) {
            test("a restart changes nothing: $name").config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(name in chosen) },
            ) {
                "${tried(tempdir().toPath())}" shouldBe
                    "compared ${seen[name]}; a state that influences none of these is not seen"
            }
        }
    })

private const val SAMPLER = "dev.cairn.examples.chain.Sampler"
private const val SETTINGS = "chain.properties"

/** Those of the example, with fewer sweeps. */
private fun FunSpec.settings(): Path {
    val lines = listOf(Path.of(SETTINGS).readText(), "sweeps=200", "burnin=100")
    return tempdir().toPath().resolve(SETTINGS).also { it.writeText(lines.joinToString("\n")) }
}
