package dev.cairn.proof.failure

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.isOnPath
import dev.cairn.house.needs
import dev.cairn.proof.local.Mounts
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.exists

/** Errors of the operating system itself, in two languages, through the door and up to the exit code of a program. */
class RealTroublesSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun linesUnder(locale: String, name: String): List<String> {
            val place = directory.resolve(name).createDirectory()
            val environment = arrayOf("env", "LOCPATH=$directory", "LC_ALL=$locale", "LANGUAGE=")
            val (code, output) = Mounts.run(*environment, *JAVA, "$place")
            return withClue(output) {
                code shouldBe 0
                output shouldNotContain "\tat "
                output.lines().filter { it.startsWith("= ") }
            }
        }

        test("errors of the system are told by their kinds").config(enabledOrReasonIf = needs { Mounts.areThere }) {
            linesUnder("C.UTF-8", "english") shouldBe EXPECTED + "= words No space left on device"
        }

        test("and in German").config(
            enabledOrReasonIf =
                needs {
                    Mounts.areThere and Need.LOCALES.given(areThere) and
                        Need.CAMPAIGN.given(Campaign.STARTED_PROGRAMS.isOn)
                },
        ) {
            ProcessBuilder("localedef", "-i", "de_DE", "-f", "UTF-8", "$directory/de_DE.UTF-8").start().waitFor()
            linesUnder("de_DE.UTF-8", "german") shouldBe
                EXPECTED + "= words Auf dem Gerät ist kein Speicherplatz mehr verfügbar"
        }
    })

private val EXPECTED =
    listOf(
        "= device NO_ROOM",
        "= full NO_ROOM",
        "= names NO_ROOM",
        "= read-only DENIED",
        "= unreadable UNREADABLE",
        "= below a file java.nio.file.NotDirectoryException",
        "= long name java.nio.file.FileSystemException",
        "= program in a full directory UNSAVED",
        "= program in a read-only directory UNREADABLE",
        "= program at a read-only place REFUSED",
    )

private val areThere =
    isOnPath("localedef") && Path.of("/usr/share/locale/de/LC_MESSAGES/libc.mo").exists() &&
        Path.of("/usr/share/i18n/locales/de_DE").exists()

private val JAVA =
    arrayOf(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        "dev.cairn.proof.failure.RealTroublesKt",
    )
