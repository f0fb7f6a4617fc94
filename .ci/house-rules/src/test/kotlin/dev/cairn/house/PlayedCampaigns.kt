package dev.cairn.house

import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

/**
 * A line for each campaign: how many cases it had in this [build], and how many seconds the specs took that
 * name it, by the reports of all modules in [house]. The first line says which seed drew the cases.
 */
fun playedCampaigns(house: Path, build: String = System.getProperty(BUILD)): List<String> {
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

/** The specs that name a campaign in their source, by its name. */
private fun specsOfCampaigns(house: Path): Map<String, List<String>> =
    moduleFolders(house)
        .map { it.resolve("src/test") }
        .filter { it.isDirectory() }
        .flatMap(::specsBelow)
        .flatMap { spec -> NAMED.findAll(spec.readText()).map { it.groupValues[1] to spec.nameWithoutExtension } }
        .distinct()
        .groupBy({ it.first }, { it.second })

private fun specsBelow(folder: Path): List<Path> =
    Files.walk(folder).use { files -> files.filter { it.name.endsWith("Spec.kt") }.sorted().toList() }

private val NAMED = Regex("""\bCampaign\.([A-Z_]+)""")

private fun secondsOfSpecs(house: Path, build: String): Map<String, Double> =
    moduleFolders(house)
        .map { it.resolve("target/surefire-reports") }
        .filter { it.isDirectory() }
        .flatMap { it.listDirectoryEntries("TEST-*.xml") }
        .map { it.readText() }
        .filter { """name="$BUILD" value="$build"""" in it }
        .mapNotNull { SUITE.find(it)?.destructured }
        .associate { (name, seconds) -> name.substringAfterLast('.') to seconds.toDouble() }

private val SUITE = Regex("""<testsuite [^>]*?\bname="([^"]+)" time="([0-9.]+)"""")
