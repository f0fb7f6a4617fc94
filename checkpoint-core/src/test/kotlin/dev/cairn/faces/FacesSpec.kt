package dev.cairn.faces

import dev.cairn.event.ExitCode
import dev.cairn.manifestOf
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.quietly
import dev.cairn.runSimulation
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.maps.shouldHaveSize
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.Collections
import kotlin.io.path.copyToRecursively
import kotlin.io.path.createDirectory
import kotlin.io.path.readText

/** The same program in both languages: what one of them saves the other brings back, and both hear and write the same. */
class FacesSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        var runs = 0

        suspend fun broken(first: Face, second: Face, saver: Int, restorer: Int): Run {
            val place = directory.resolve("${runs++}").createDirectory()
            val heard = Collections.synchronizedList(mutableListOf<String>())
            first.run(place, saver, 7, heard) shouldBe ExitCode.FINISHED
            second.run(place, restorer, 12, heard) shouldBe ExitCode.FINISHED
            return Run(digests(place), place.resolve("energies.txt").readText(), heard)
        }

        for ((saver, restorer) in listOf(2 to 2, 3 to 2, 2 to 3)) {
            test("from $saver ranks to $restorer, in any order of the languages") {
                val expected = broken(Face.KOTLIN, Face.KOTLIN, saver, restorer)
                expected.digests shouldHaveSize 16
                for ((first, second) in listOf(
                    Face.JAVA to Face.JAVA,
                    Face.KOTLIN to Face.JAVA,
                    Face.JAVA to Face.KOTLIN,
                )) {
                    val run = broken(first, second, saver, restorer)
                    withClue("$first, then $second") {
                        run.digests shouldBe expected.digests
                        run.energies shouldBe expected.energies
                        run.heard shouldBe expected.heard
                        run.deleted shouldBe expected.deleted
                    }
                }
            }
        }

        test("a break changes nothing, in any order of the languages") {
            for (face in Face.entries) {
                val place = directory.resolve("unbroken-$face").createDirectory()
                face.run(place, 2, 12, mutableListOf())
                val broken = broken(face, Face.entries.first { it != face }, 2, 2)
                digests(place) shouldBe broken.digests
                place.resolve("energies.txt").readText() shouldBe broken.energies
            }
        }

        test("a run that checks itself is the same to the last bit, in both languages, and so is what it tells") {
            for (face in Face.entries) {
                val (plain, checked) =
                    listOf(emptyArray(), arrayOf("--check-restart")).map { arguments ->
                        val place = directory.resolve("${runs++}").createDirectory()
                        val heard = Collections.synchronizedList(mutableListOf<String>())
                        face.run(place, 3, 12, heard, *arguments) shouldBe ExitCode.FINISHED
                        Run(digests(place), place.resolve("energies.txt").readText(), heard)
                    }
                withClue("$face") {
                    checked.digests shouldBe plain.digests
                    checked.energies shouldBe plain.energies
                    checked.heard shouldBe plain.heard
                    checked.deleted shouldBe plain.deleted
                }
            }
        }

        test("former names and what was removed are said in the same words") {
            val old = directory.resolve("old.cairn")
            runSimulation("old", emptyArray(), SimulationOptions { this.directory = old }) {
                var time by replicated(0.0)
                val gone by replicated(5L)
                val dust by table(OldDust()) { positionFree() }
                for (step in steps(until = 1)) time += gone + dust.mass[0] + step
            }
            for (face in Face.entries) {
                val place = directory.resolve("later-$face.cairn")
                @OptIn(kotlin.io.path.ExperimentalPathApi::class)
                old.copyToRecursively(place, followLinks = false)
                val heard = mutableListOf<String>()
                face.runLater(place, heard) shouldBe ExitCode.FINISHED
                heard shouldBe listOf("step 1: 7.5, 2.5", "step 2: 7.5, 2.5")
            }
        }
    })

private class Run(val digests: Map<String, String>, val energies: String, events: List<String>) {
    val heard = events.filterNot { "Deleted" in it }

    /** Saves are deleted while the program goes on, so these events come anywhere between the others. */
    val deleted = events.filter { "Deleted" in it }
}

private class OldDust : dev.cairn.Columns() {
    val id by column(longArrayOf(7))
    val mass by column(doubleArrayOf(2.5))
}

private enum class Face {
    KOTLIN {
        override suspend fun run(
            directory: Path,
            rankCount: Int,
            until: Long,
            heard: MutableList<String>,
            vararg arguments: String,
        ) = FaceInKotlin.run(directory, rankCount, until, heard, *arguments)

        override suspend fun runLater(directory: Path, heard: MutableList<String>) =
            FaceInKotlin.runLater(directory, heard)
    },
    JAVA {
        override suspend fun run(
            directory: Path,
            rankCount: Int,
            until: Long,
            heard: MutableList<String>,
            vararg arguments: String,
        ): ExitCode = FaceInJava.run(directory, rankCount, until, heard, *arguments)

        override suspend fun runLater(directory: Path, heard: MutableList<String>): ExitCode =
            FaceInJava.runLater(directory, heard)
    },
    ;

    abstract suspend fun run(
        directory: Path,
        rankCount: Int,
        until: Long,
        heard: MutableList<String>,
        vararg arguments: String,
    ): ExitCode

    abstract suspend fun runLater(directory: Path, heard: MutableList<String>): ExitCode
}

/** Of the newest save, what is known of each item. */
private fun digests(place: Path): Map<String, String> {
    val store = place.resolve("face.cairn")
    val newest =
        store
            .toFile()
            .list()
            .orEmpty()
            .mapNotNull { it.toIntOrNull() }
            .max()
    return manifestOf(FileBlockStore(), store, newest).items.associate { it.name to "${it.digest}, ${it.elementCount}" }
}
