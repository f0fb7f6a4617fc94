package dev.cairn.sion.cli

import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.ModelContent
import dev.cairn.sion.fixture.MultifileModel
import dev.cairn.sion.fixture.sha256
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readLines

/** `sion defrag` on what the C library wrote, compared with siondefrag and with the model. */
class FixtureDefragSpec :
    FunSpec({
        val directory = tempdir().toPath()

        bundled("../sion-defrag/siondefrag.txt").readLines().groupBy { it.split(' ')[2] }.forEach { (name, lines) ->
            test("$name becomes what siondefrag makes of it") {
                val out = directory.resolve("out.sion")
                for (line in lines) {
                    val (sha, size, _) = line.split(' ')
                    val options = line.split(' ').drop(3).toTypedArray()
                    withClue(line) {
                        sion("defrag", *options, bundled(name).toString(), out.toString()).exitCode shouldBe 0
                        out.fileSize() shouldBe size.toLong()
                        sha256(out.readBytes()) shouldBe sha
                    }
                    out.deleteExisting()
                }
            }
        }

        Fixtures.all.filterNot { it.unreadable }.forEach { fixture ->
            test("${fixture.name} becomes what the model says, in any number of files") {
                val content = contentOf(fixture)
                for (fileCount in 1..minOf(5, content.tasks.size)) {
                    val parts = directory.resolve("${fixture.name}-$fileCount").createDirectory()
                    val out = parts.resolve("out.sion")
                    val run = sion("defrag", "--files", "$fileCount", fixture.file.toString(), out.toString())

                    run.complaint shouldBe ""
                    run.exitCode shouldBe 0
                    val shares = if (fileCount == 1) null else sharesOf(content.tasks.size, fileCount)
                    val expected = DefragModel(content, "out.sion", shares = shares).files()
                    val made = parts.listDirectoryEntries().sorted()
                    made.map { it.name } shouldBe namesOf(fileCount)
                    made.zip(expected) { part, bytes -> part.readBytes().contentEquals(bytes) } shouldBe
                        made.map { true }
                    made.size shouldBe expected.size
                }
            }
        }

        Fixtures.all.filter { it.unreadable }.forEach { fixture ->
            test("${fixture.name} is refused, and nothing is left") {
                val empty = directory.resolve(fixture.name).createDirectory()

                sion("defrag", fixture.file.toString(), "$empty/out.sion").exitCode shouldBe 1
                empty.listDirectoryEntries() shouldBe emptyList<Path>()
            }
        }
    })

private fun contentOf(fixture: Fixture): ModelContent =
    MultifileModel(fixture.physicalFiles.values.associateWith { it.readBytes() }).open(fixture.file)

/** Equal shares; the last one takes what does not divide. */
private fun sharesOf(taskCount: Int, fileCount: Int): List<IntRange> {
    val share = taskCount / fileCount
    return List(fileCount) { it * share until if (it == fileCount - 1) taskCount else (it + 1) * share }
}

private fun namesOf(fileCount: Int) =
    List(fileCount) { if (it == 0) "out.sion" else "out.sion." + "$it".padStart(6, '0') }
