package dev.cairn.house

import java.nio.file.Path
import java.util.Locale
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.readText

/**
 * A line for each campaign: how many cases it had in this [build], and how many seconds those of its specs took that docs/testing.md
 * names, by the reports of all modules in [house]. The first line says which seed drew the cases.
 */
fun playedCampaigns(
    house: Path,
    build: String = System.getProperty(BUILD),
): List<String> {
    val seconds = secondsOfSpecs(house, build)
    val specs = specsOfCampaigns(house)
    return listOf("Campaigns at the speed ${Speed.chosen.name.lowercase()}, -Dcairn.seed=${Campaign.seed}:") +
        Campaign.entries.map { campaign ->
            val times =
                specs[campaign.name].orEmpty().mapNotNull { spec -> seconds[spec]?.let { "$spec ${it.toInt()} s" } }
            "%-16s %10s  %s".format(Locale.ROOT, campaign.name, campaign.words(), times.joinToString(", "))
        }
}

/** The count, as docs/testing.md writes it. */
internal fun Campaign.words(speed: Speed = Speed.chosen): String =
    when (val count = countAt(speed)) {
        ALL -> "all"
        else -> "%,d".format(Locale.ROOT, count)
    }

private fun specsOfCampaigns(house: Path): Map<String, List<String>> =
    house
        .resolve("docs/testing.md")
        .readLines()
        .map { line -> line.split('|').map(String::trim) }
        .filter { it.size > IN && Regex("`[A-Z_]+`").matches(it[1]) }
        .associate { row ->
            row[1].trim('`') to
                Regex("`(\\w+Spec)`").findAll(row[IN]).map { it.groupValues[1] }.toList()
        }

/** The column of the specs. */
private const val IN = 3

private fun secondsOfSpecs(
    house: Path,
    build: String,
): Map<String, Double> =
    house
        .listDirectoryEntries()
        .map { it.resolve("target/surefire-reports") }
        .filter { it.isDirectory() }
        .flatMap { it.listDirectoryEntries("TEST-*.xml") }
        .map { it.readText() }
        .filter { """name="$BUILD" value="$build"""" in it }
        .mapNotNull { SUITE.find(it)?.destructured }
        .associate { (name, seconds) -> name.substringAfterLast('.') to seconds.toDouble() }

private val SUITE = Regex("""<testsuite [^>]*?\bname="([^"]+)" time="([0-9.]+)"""")
