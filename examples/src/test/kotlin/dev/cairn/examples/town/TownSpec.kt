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

        test("killed at random days, it writes what the town without restart writes") {
            val seed = Campaign.seed
            val random = Random(seed)
            val folder = tempdir().toPath()
            val days = List(KILLS) { random.nextInt(1, DAYS - 5) }.sorted()
            println("killed after days $days, -Dcairn.seed=$seed")
            for (day in days) {
                val killed = town(WITH_RESTART, folder, "CAIRN_EVERY" to "${random.nextInt(1, 4)}")
                killed.errorReader().lineSequence().firstOrNull { (savedStep(it) ?: 0) >= day }
                killed.destroyForcibly().waitFor()
            }
            town(WITH_RESTART, folder).ended(0)
            folder.results() shouldBe expected
        }

        test("a trial of a restart finds no state that is lost") {
            RestartTrial(breakAt = 8)
                .withEvery(4)
                .runMain(tempdir().toPath(), WITH_RESTART, *SMALL_TOWN.toTypedArray(), "days=12")
        }

        test("a setting on which the results depend can't change in a restart") {
            val folder = tempdir().toPath()
            town(WITH_RESTART, folder).ended(0)
            program(WITH_RESTART, folder, arguments = arrayOf("seed=2")).errorReader().readText() shouldContain
                "'words'"
        }

        test("restart adds at most 30 lines, apart from those that name the package") {
            val before = Path.of("src/main/java/dev/cairn/examples/town/plain")
            val types =
                before.useDirectoryEntries(
                    "[A-Z]*.java",
                ) { all -> all.map { it.nameWithoutExtension }.toList() }
            types
                .flatMap { diff(linesOf(before, it), linesOf(before.parent, it)) }
                .count { it.startsWith("+") && !it.startsWith("+package ") } shouldBeLessThanOrEqualTo 30
        }
    })

private const val PLAIN = "dev.cairn.examples.town.plain.Town"
private const val WITH_RESTART = "dev.cairn.examples.town.Town"
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
