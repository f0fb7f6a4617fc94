package dev.cairn.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** What a larger build says at its end. */
class PlayedCampaignsSpec :
    FunSpec({
        test("each campaign has its count, and the seconds of its specs in this build") {
            val house = tempdir().toPath()
            spec(house, "core", "KillSpec", "Campaign.KILLS.count")
            spec(house, "mpi", "MpiKillSpec", "Campaign.KILLS.someOf(jobs), Campaign.KILLS.seed")
            spec(house, "mpi", "LateSpec", "Campaign.KILLS.count")
            spec(house, "mpi", "OtherSpec", "Campaign.SEEDS.count")
            report(house, "core", "KillSpec", "12.9", "now")
            report(house, "mpi", "MpiKillSpec", "3", "now")
            report(house, "mpi", "LateSpec", "7", "before")
            report(house, "mpi", "OtherSpec", "8", "now")

            val lines = playedCampaigns(house, "now").map { it.replace(Regex(" +"), " ") }
            lines.first() shouldBe
                "Campaigns at the speed ${Speed.chosen.name.lowercase()}, -Dcairn.seed=${Campaign.seed}:"
            lines shouldContain "KILLS ${Campaign.KILLS.words()} KillSpec 12 s, MpiKillSpec 3 s"
        }
    })

private fun spec(house: Path, module: String, name: String, text: String) =
    house
        .resolve("$module/src/test/kotlin")
        .createDirectories()
        .resolve("$name.kt")
        .writeText(text)

/** As Surefire writes it. */
private fun report(house: Path, module: String, spec: String, seconds: String, build: String) =
    house
        .resolve("$module/target/surefire-reports")
        .createDirectories()
        .resolve("TEST-dev.cairn.$spec.xml")
        .writeText(
            """
            <testsuite xmlns:xsi="x" version="3.0.2" name="dev.cairn.$spec" time="$seconds" tests="1">
            <properties><property name="cairn.build" value="$build"/></properties></testsuite>
            """.trimIndent(),
        )
