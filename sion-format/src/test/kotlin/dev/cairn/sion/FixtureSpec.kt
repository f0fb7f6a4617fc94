package dev.cairn.sion

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.FixtureTask
import dev.cairn.sion.fixture.FixtureTaskWriter
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.sha256
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.forAll
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.readBytes

/** The real C library's files: read as it reads them, and written again byte for byte. */
@Tags(JDK_DEPENDENT)
class FixtureSpec :
    FunSpec({
        val directory = tempdir().toPath()
        var written = 0
        var read = 0
        var refused = 0

        test("every fixture of the folder is found") {
            Fixtures.all.size shouldBeGreaterThanOrEqual Fixtures.expectedCount
        }

        Fixtures.all.forEach { fixture ->
            if (fixture.unreadable) {
                test("${fixture.name} is refused") {
                    runCatching { Multifile.open(fixture.file).close() }
                        .exceptionOrNull()
                        .shouldBeInstanceOf<SionException>()
                    refused++
                }
            } else {
                test("${fixture.name} is read as the C library reads it") {
                    readAndCompare(fixture)
                    read++
                }
            }
            if (fixture.notWritten == null && !fixture.isOfRanks) {
                test("${fixture.name} is written as the C library wrote it") {
                    val target = directory.resolve(fixture.name).createDirectory()
                    write(fixture, target)
                    fixture.physicalFiles.entries.forAll { (name, original) ->
                        target.resolve(name).readBytes() shouldBe original.readBytes()
                    }
                    written++
                }
            }
        }

        afterSpec {
            val notWritten = Fixtures.all.groupBy { it.notWritten }.filterKeys { it != null }
            println("SION fixtures in ${Fixtures.folder}:")
            val ofRanks = Fixtures.all.filter { it.isOfRanks }
            println("  found ${Fixtures.all.size}, written $written, read $read, refused $refused")
            println("  written by ranks only: ${ofRanks.joinToString { it.name }}")
            notWritten.forEach { (why, which) -> println("  not written, $why: ${which.joinToString { it.name }}") }
        }
    })

private fun write(fixture: Fixture, directory: Path) {
    MultifileWriter.create(fixture.spec(directory), fixture.requests).use { writer ->
        val tasks = fixture.tasks.map { FixtureTaskWriter(it, writer::task, writer::records) }
        fixture.ops.forEach { (task, ops) -> ops.forEach(tasks[task]::run) }
        writer.finish()
    }
}

private fun readAndCompare(fixture: Fixture) {
    Multifile.open(fixture.file).use { view ->
        view.taskCount() shouldBe fixture.tasks.size
        fixture.tasks.forEach { expected ->
            withClue("task ${expected.task}") {
                compareTask(view, expected, fixture)
                Multifile.openTask(fixture.file, expected.readIndex).use { alone ->
                    readWhole(alone).contentEquals(readWhole(view.task(expected.readIndex))) shouldBe true
                }
            }
        }
    }
}

private fun compareTask(view: GlobalView, expected: FixtureTask, fixture: Fixture) {
    val task = view.task(expected.readIndex)
    if (fixture.mode != "mpi") task.globalRank() shouldBe expected.globalRank
    view.taskOfGlobalRank(task.globalRank()) shouldBe expected.readIndex
    if (fixture.isKeyValue) {
        compareRecords(task.records(), expected)
    } else {
        task.size() shouldBe expected.readBytes
        sha256(readWhole(task)) shouldBe expected.readSha256
        sha256(task.stream().use { it.readAllBytes() }) shouldBe expected.readSha256
    }
}

private fun compareRecords(records: RecordView, expected: FixtureTask) {
    records.entries().map { it.key() to it.length() } shouldBe expected.records.map { it.key to it.length }
    records.keys().toList() shouldBe expected.keys.map { it.key }
    expected.keys.forEach { key ->
        records.size(key.key) shouldBe key.length
        val value = ByteBuffer.allocate(key.length.toInt())
        records.read(key.key, 0, value)
        value.hasRemaining() shouldBe false
        sha256(value.array()) shouldBe key.sha256
    }
}

private fun readWhole(task: TaskView): ByteArray {
    val bytes = ByteBuffer.allocate(task.size().toInt())
    task.read(0, bytes)
    bytes.hasRemaining() shouldBe false
    return bytes.array()
}
