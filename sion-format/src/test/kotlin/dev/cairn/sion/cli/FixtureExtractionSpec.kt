package dev.cairn.sion.cli

import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.FixtureTask
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.sha256
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes

/** `sion cat`, `split` and `verify` on what the C library wrote, compared with the manifests. */
class FixtureExtractionSpec :
    FunSpec({
        val directory = tempdir().toPath()

        Fixtures.all.filterNot { it.unreadable }.forEach { fixture ->
            test("${fixture.name} is split into what its tasks wrote") {
                val parts = directory.resolve(fixture.name).createDirectory()
                val run = sion("split", "-d", "3", fixture.file.toString(), "$parts/t")

                run.complaint shouldBe ""
                run.exitCode shouldBe 0
                contentOf(parts) shouldBe expectedParts(fixture)
            }

            test("cat gives the tasks of ${fixture.name} one by one and all together") {
                val all =
                    fixture.tasks.sortedBy { it.readIndex }.map { task ->
                        val one = sion("cat", "-t", "${task.readIndex}", fixture.file.toString())
                        withClue("task ${task.task}") {
                            one.exitCode shouldBe 0
                            if (!fixture.isKeyValue) sha256(one.bytes) shouldBe task.readSha256
                        }
                        one.bytes
                    }

                val whole = sion("cat", fixture.file.toString())
                whole.bytes.contentEquals(all.fold(ByteArray(0), ByteArray::plus)) shouldBe true
                whole.exitCode shouldBe 0
            }

            test("${fixture.name} is verified as good") {
                val run = sion("verify", fixture.file.toString())

                run.text shouldMatch ".*: good; tasks ${fixture.tasks.size}, records [0-9]+, bytes [0-9]+\n"
                run.exitCode shouldBe 0
            }
        }

        Fixtures.all.filter { it.unreadable }.forEach { fixture ->
            test("${fixture.name} is verified as damaged") {
                val run = sion("verify", fixture.file.toString())

                run.text shouldBe ""
                run.complaint shouldMatch "sion: ${fixture.file}: .*\\."
                run.exitCode shouldBe 1
            }
        }
    })

private fun contentOf(directory: Path): Map<String, String> =
    directory.listDirectoryEntries().associate { it.name to sha256(it.readBytes()) }

private fun expectedParts(fixture: Fixture): Map<String, String> =
    fixture.tasks
        .flatMap { task ->
            val name = "t%03d".format(task.readIndex)
            if (fixture.isKeyValue) keyParts(name, task) else listOf(name to task.readSha256)
        }.toMap()

private fun keyParts(name: String, task: FixtureTask): List<Pair<String, String>> =
    task.keys.map { "%s_%012d".format(name, it.key) to it.sha256 }
