package dev.cairn.sion.cli

import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.Fixtures
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readText

/** `sion dump` prints what the real siondump printed, for every dump beside every fixture. */
class FixtureDumpSpec :
    FunSpec({
        val asInTheFolder = StartedIn(Fixtures.folder)
        var compared = 0
        var refused = 0

        test("every fixture of the folder is found") {
            Fixtures.all.size shouldBeGreaterThanOrEqual Fixtures.expectedCount
        }

        Fixtures.all.filter { it.unreadable }.forEach { fixture ->
            test("${fixture.name} is refused") {
                val run = sion("dump", "-a", "-l", fixture.file.name, store = asInTheFolder)

                run.exitCode shouldBe 1
                run.text shouldBe ""
                run.complaint shouldMatch "sion: .*${fixture.file.name}: .*\\."
                refused++
            }
        }

        Fixtures.all.filterNot { it.unreadable }.flatMap(::dumpsOf).forEach { dump ->
            test("${dump.expected.name} is printed to the character") {
                val run = sion("dump", *dump.options, dump.file.name, store = asInTheFolder)

                run.text shouldBe dump.expected.readText()
                run.exitCode shouldBe 0
                compared++
            }
        }

        afterSpec {
            println("SION dumps in ${Fixtures.folder}:")
            println("  found ${Fixtures.all.size} fixtures, compared $compared dumps, refused $refused fixtures")
            compared shouldNotBe 0
        }
    })

/** The options that gave the dumps of each kind. */
private val OPTIONS =
    mapOf(
        "dump" to arrayOf("-a", "-l"),
        "dump-a" to arrayOf("-a"),
        "dump-key-list" to arrayOf("-K"),
        "dump-key-stat" to arrayOf("-k"),
        "dump-map" to arrayOf("-m", "-M"),
        "dump-plain" to arrayOf(),
    )

private class Dump(val file: Path, val options: Array<String>, val expected: Path)

/** A dump of `x.sion_BUDDY_00.000001` is called `x_BUDDY_00.000001.dump.txt`. */
private fun dumpsOf(fixture: Fixture): List<Dump> =
    fixture.physicalFiles.values
        .flatMap { file ->
            OPTIONS.map { (kind, options) ->
                val stem = file.name.replaceFirst(".sion", "")
                Dump(file, options, file.resolveSibling("$stem.$kind.txt"))
            }
        }.filter { it.expected.exists() }
