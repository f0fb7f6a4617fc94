package dev.cairn.examples.chain

import dev.cairn.examples.ended
import dev.cairn.examples.existing.diff
import dev.cairn.examples.existing.linesOf
import dev.cairn.examples.program
import dev.cairn.house.Campaign
import dev.cairn.house.OUTSIDE
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.useDirectoryEntries
import kotlin.io.path.writeText
import kotlin.random.Random

/** The sampler of chains, before Cairn and after, in JVMs of their own. */
@Tags(OUTSIDE)
class SamplerSpec :
    FunSpec({
        val expected by lazy { folder().also { sampler(PLAIN, it).ended(0) }.results() }

        test("killed at random steps, it writes what the sampler without restart writes") {
            val seed = Campaign.seed
            val random = Random(seed)
            val folder = folder()
            val steps = List(KILLS) { KILLED_AT.random(random) }.sorted()
            println("killed after steps $steps, -Dcairn.seed=$seed")
            for (step in steps) {
                val killed = sampler(WITH_RESTART, folder, "CAIRN_EVERY" to "${random.nextInt(1, 4)}")
                killed.errorReader().lineSequence().firstOrNull { (savedStep(it) ?: 0) >= step }
                killed.destroyForcibly().waitFor()
            }
            sampler(WITH_RESTART, folder).ended(0)
            folder.results() shouldBe expected
        }

        test("killed before its first save, it begins anew") {
            val folder = folder()
            val killed = sampler(WITH_RESTART, folder)
            killed.inputReader().lineSequence().first { it.startsWith("sweep 250 ") }
            killed.destroyForcibly().waitFor()
            sampler(WITH_RESTART, folder).ended(0)
            folder.results() shouldBe expected
        }

        test("asked to end, it ends with 75, and more sweeps continue the same run") {
            val folder = folder(sweeps = SWEEPS / 2)
            val asked = sampler(WITH_RESTART, folder, "CAIRN_EVERY" to "10")
            asked.errorReader().lineSequence().first { savedStep(it) == 10L }
            asked.toHandle().destroy()
            asked.ended(UNFINISHED)
            sampler(WITH_RESTART, folder).ended(0)
            folder.ask(sweeps = SWEEPS)
            sampler(WITH_RESTART, folder).ended(0)
            folder.results() shouldBe expected
        }

        test("a setting on which the results depend can't change in a restart") {
            val folder = folder(sweeps = 110)
            sampler(WITH_RESTART, folder).ended(0)
            folder.ask(sweeps = 120, *OTHER_SETTINGS.values.toTypedArray())
            val refusal = sampler(WITH_RESTART, folder).errorReader().readText()
            for (name in OTHER_SETTINGS.keys) refusal shouldContain "'$name'"
        }

        test("the page about one process states how many lines restart adds") {
            val before = Path.of("src/main/java/dev/cairn/examples/chain/plain")
            val types =
                before.useDirectoryEntries(
                    "[A-Z]*.java",
                ) { all -> all.map { it.nameWithoutExtension }.toList() }
            val added =
                types.sumOf { type ->
                    diff(linesOf(before, type), linesOf(before.parent, type)).count { it.startsWith("+") }
                }
            Path.of("../docs/how-to/one-process.md").readText() shouldContain "adds $added lines"
        }
    })

private const val PLAIN = "dev.cairn.examples.chain.plain.Sampler"
private const val WITH_RESTART = "dev.cairn.examples.chain.Sampler"
private val KILLS = Campaign.KILLS.count * 3 / 2

/** Enough that the program still runs at its last kill, although it goes on for some sweeps at each. */
private val SWEEPS = 600 + 10 * KILLS

/** After the first samples. A single kill comes soon after them, since the program saves after each few sweeps until then. */
private val KILLED_AT = 120 until minOf(SWEEPS - 100, 120 + 120 * KILLS)
private const val UNFINISHED = 75

/** Another value of each setting on which the results depend, by the name of its parameter. */
private val OTHER_SETTINGS =
    mapOf(
        "settings.dataSeed" to "data.seed=2",
        "settings.burnIn" to "burnin=99",
        "settings.thinning" to "thinning=9",
        "settings.temperatures" to "temperatures=1,1.7,2.9,5,8.5,14.5,25,43",
        "settings.threads" to "threads=2",
        "settings.mainSeed" to "seed.main=1",
        "settings.workerSeed" to "seed.workers=1",
    )

private fun FunSpec.folder(sweeps: Int = SWEEPS): Path = tempdir().toPath().also { it.ask(sweeps) }

/** Writes the settings: those of the example with fewer sweeps, and [changes]. */
private fun Path.ask(sweeps: Int, vararg changes: String) {
    val lines = listOf(Path.of("chain.properties").readText(), "sweeps=$sweeps", "burnin=100") + changes
    resolve("chain.properties").writeText(lines.joinToString("\n"))
}

private fun sampler(name: String, folder: Path, vararg environment: Pair<String, String>) =
    program(name, folder, *environment, arguments = arrayOf("chain.properties"))

private fun savedStep(line: String): Long? =
    Regex("""save \d+, step (\d+):""").find(line)?.let { it.groupValues[1].toLong() }

private fun Path.results() = listOf("samples", "swaps", "summary").map { resolve("$it.txt").readText() }
