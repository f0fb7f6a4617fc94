package dev.cairn.examples.town

import dev.cairn.examples.ended
import dev.cairn.examples.existing.diff
import dev.cairn.examples.existing.linesOf
import dev.cairn.examples.program
import dev.cairn.house.Campaign
import dev.cairn.house.OUTSIDE
import dev.cairn.testing.RestartTrial
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.useDirectoryEntries
import kotlin.random.Random

/** The town, before Cairn and after, in JVMs of their own. */
@Tags(OUTSIDE)
class TownSpec :
    FunSpec({
        val expected by lazy { tempdir().toPath().also { town(PLAIN, it).ended(0) }.results() }

        for (form in Form.values()) {
            test("with ${form.words}: killed at random days, it writes what the town without restart writes") {
                val seed = Campaign.seed
                val random = Random(seed)
                val folder = tempdir().toPath()
                val days = List(KILLS) { random.nextInt(1, DAYS - 5) }.sorted()
                println("with ${form.words}: killed after days $days, -Dcairn.seed=$seed")
                for (day in days) {
                    val killed = town(form.program, folder, "CAIRN_EVERY" to "${random.nextInt(1, 4)}")
                    killed.errorReader().lineSequence().firstOrNull { (savedStep(it) ?: 0) >= day }
                    killed.destroyForcibly().waitFor()
                }
                town(form.program, folder).ended(0)
                folder.results() shouldBe expected
            }

            test("with ${form.words}: a trial of a restart finds no state that is lost") {
                RestartTrial(breakAt = 10)
                    .withEvery(5)
                    .runMain(tempdir().toPath(), form.program, *SMALL_TOWN.toTypedArray(), "days=12")
            }

            test("with ${form.words}: a setting on which the results depend can't change in a restart") {
                val folder = tempdir().toPath()
                town(form.program, folder).ended(0)
                program(form.program, folder, arguments = arrayOf("seed=2")).errorReader().readText() shouldContain
                    "'words'"
            }

            test("with ${form.words}: restart adds at most ${form.mostLines} lines, package names apart") {
                form.folder
                    .useDirectoryEntries("[A-Z]*.java") { all -> all.map { it.nameWithoutExtension }.toList() }
                    .flatMap { diff(linesOf(SOURCES.resolve("plain"), it), linesOf(form.folder, it)) }
                    .count { it.startsWith("+") && !it.startsWith("+package ") } shouldBeLessThanOrEqualTo
                    form.mostLines
            }
        }
    })

private const val PLAIN = "dev.cairn.examples.town.plain.Town"
private val SOURCES = Path.of("src/main/java/dev/cairn/examples/town")

/** What a save keeps of the town. For rows, each table is declared, and maps are lists. */
private enum class Form(val words: String, val program: String, val folder: Path, val mostLines: Int) {
    GRAPH("a graph", "dev.cairn.examples.town.Town", SOURCES, 30),
    ROWS("rows", "dev.cairn.examples.town.rows.Town", SOURCES.resolve("rows"), 101),
}

private val KILLS = Campaign.KILLS.count * 3 / 2

/** Enough that the program still runs at its last kill, although it goes on for some days at each. */
private val DAYS = 20 + 2 * KILLS
private val SMALL_TOWN =
    listOf("size=20", "district=5", "residents=300", "shopkeepers=8", "couriers=4", "reporters=2")

private fun town(name: String, folder: Path, vararg environment: Pair<String, String>) =
    program(name, folder, *environment, arguments = (SMALL_TOWN + "days=$DAYS").toTypedArray())

private fun savedStep(line: String): Long? =
    Regex("""save \d+, step (\d+):""").find(line)?.let { it.groupValues[1].toLong() }

private fun Path.results() = listOf("town", "rumours", "final").map { resolve("$it.txt").readText() }
