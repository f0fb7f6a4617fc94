package dev.cairn

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.ExitCode
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore.Operation
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.name

/** What a program that is one process reads when something goes wrong. */
class SoloMessagesSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("no message of the commonest failures, and no line of the log, knows a rank") {
            val said = mutableListOf<String>()
            said += loggedBy { said += commonFailures(directory) }
            for (part in listOf(
                "save 3, step 3: ",
                "in use",
                "passed over",
                "restored save 2",
                "CRC32C",
                "no space is left",
                "NotSaved: save ",
            )) {
                said.joinToString("\n") shouldContain part
            }
            said.filter(WORDS_OF_RANKS::containsMatchIn).shouldBeEmpty()
        }

        test("messages call an array and a value so, and say what was found and expected") {
            val said = mutableListOf<String>()
            val logged = loggedBy { said += failuresOfItems(directory.resolve("items.cairn")) }
            val parts =
                listOf(
                    "array 'a': what its function returns for [0..3) should be of type double[] and length 3, " +
                        "but is of type double[] and length 2: let both stay",
                    "array 'a': its function should return an array, but returned null",
                    "holds the array 'a' with the shape 3, but the program declares 'a' with 4",
                    "holds 'a' as an array of double with the shape 3, but the program declares 'a' as a value of",
                    "holds the value 'n', which the program does not declare",
                    "its records cannot be read from byte ",
                )
            said.size shouldBe parts.size
            said.zip(parts).forEach { (message, part) -> message shouldContain part }
            (said + logged).filter(WORDS_OF_FIELDS::containsMatchIn).shouldBeEmpty()
        }

        test("a program that has closed its checkpoints learns that its last save is not committed, and the way back") {
            val store = directory.resolve("full.cairn")
            val u = LongArray(1)
            val solo = SoloCheckpoints.open(store, files = FullDisk()) { array("u") { u } }
            solo.restore()
            solo.saveIfDue(1, until = 1)
            val unsaved = shouldThrow<NotSaved> { solo.close() }
            solo.exitCode shouldBe ExitCode.UNSAVED
            unsaved.message shouldContain
                "the last save is not committed; there is no checkpoint of this run yet. save "
            unsaved.message shouldContain "no space is left"
            unsaved.message.orEmpty().contains(WORDS_OF_FIELDS) shouldBe false
        }
    })

private const val SEVEN: Byte = 7

private inline fun <reified T : Throwable> failure(work: () -> Unit): String = "${shouldThrow<T> { work() }}"

/** Takes no data of checkpoints. */
internal class FullDisk : ForwardingStore(FileBlockStore()) {
    override fun onOperation(operation: Operation) {
        val isData = operation.kind() == Operation.Kind.WRITE && operation.path().name.startsWith("data.sion")
        if (isData) throw IOException("No space left on device")
    }
}

private fun newest(store: Path): Path =
    checkpointStore(FileBlockStore(), store)
        .survey()
        .saves
        .first()
        .path

/** Changes the data of the newest save in [store]. */
private fun damage(store: Path, change: (ByteArray) -> Unit) {
    FileBlockStore().open(newest(store).resolve("data.sion"), Access.READ_WRITE).use { file ->
        val all = ByteBuffer.allocate(file.size().toInt()).also { file.read(0, it) }
        change(all.array())
        file.write(0, all.rewind())
    }
}

private val WORDS_OF_FIELDS = Regex("(?i)\\b(ranks?|tasks?|blocks?|replicated)\\b|field '")

/** The messages about an array and a value that a program no longer has, or no longer has as before. */
private suspend fun failuresOfItems(store: Path): List<String> {
    val said = mutableListOf<String>()
    var a: DoubleArray? = DoubleArray(3)

    suspend fun opened(declare: SoloState.() -> Unit) = SoloCheckpoints.open(store, declare = declare)
    opened {
        array("a") { a }
        value("n", Codecs.LONG, { 1L }, {})
    }.use { checkpoints ->
        checkpoints.save(1)
        a = DoubleArray(2)
        said += failure<CheckpointException.InvalidDeclaration> { checkpoints.save(2) }
        a = null
        said += failure<CheckpointException.InvalidDeclaration> { checkpoints.save(2) }
    }
    val four = DoubleArray(4)
    val other: List<SoloState.() -> Unit> = listOf({ array("a") { four } }, { value("a", { 1.0 }, {}) })
    for (declare in other) {
        said += failure<Mismatch> { opened { removed("n").also { declare() } }.use { it.restore() } }
    }
    val three = DoubleArray(3)
    said += failure<Mismatch> { opened { array("a") { three } }.use { it.restore() } }
    val data = newest(store).resolve("data.sion")
    val index = Multifile.open(FileBlockStore(), data).use { it.task(it.taskCount() - 1).offset(0) }
    damage(store) { all -> ByteBuffer.wrap(all).putLong(index.toInt() + Long.SIZE_BYTES, -1) }
    said += failure<CheckpointException> { opened { array("a") { three } }.use { it.restore() } }
    return said
}

/** The messages of what goes wrong most often. */
private suspend fun commonFailures(directory: Path): List<String> {
    val said = mutableListOf<String>()
    val store = directory.resolve("run.cairn")
    val options = CheckpointOptions { keepLast = 9 }
    val checkpoints = counting(store, options)
    checkpoints.restore()
    for (step in 1L..3) said += "${checkpoints.save(step)}"
    said += failure<InUse> { counting(store) }
    checkpoints.close()

    // Its newest save is damaged: the one before is taken.
    damage(store) { all -> for (at in all.indices) all[at]++ }
    counting(store, options).use { said += "restored step ${it.restore()}" }
    val cells = directory.resolve("cells.cairn")
    val u = ByteArray(5_000) { 7 }
    SoloCheckpoints.open(cells) { array("u") { u } }.use { for (step in 1L..2) it.save(step) }
    damage(cells) { all ->
        all[
            (0 until all.size - 1_000).first { at ->
                (at..at + 1_000).all { all[it] == SEVEN }
            },
        ] = 0
    }
    SoloCheckpoints.open(cells) { array("u") { u } }.use { said += "restored step ${it.restore()}" }

    said += failure<Mismatch> { counting(store, options, n = 2).use { it.restore() } }
    said +=
        failure<Mismatch> {
            SoloCheckpoints.open(store, options) { parameter("size", 1) }.use { it.restore() }
        }
    val n = LongArray(3)
    said +=
        failure<Mismatch> {
            SoloCheckpoints
                .open(store, options) {
                    parameter("size", 1)
                    array("n") { n }
                }.use { it.restore() }
        }
    said += failure<IllegalArgumentException> { CheckpointOptions { every = 0 } }
    said +=
        failure<CheckpointException.InvalidDeclaration> {
            counting(
                directory.resolve("a"),
                CheckpointOptions {
                    fresh = true
                    from = 3
                },
            )
        }
    said +=
        failure<CheckpointException.InvalidDeclaration> {
            SoloCheckpoints.open(directory.resolve("b")) {
                value("n", Codecs.LONG, { 1L }, {})
                value("n", Codecs.LONG, { 1L }, {})
            }
        }
    said +=
        failure<CheckpointException.InvalidDeclaration> {
            SoloCheckpoints.open(directory.resolve("c")) { array("list") { listOf(1) } }
        }
    said +=
        failure<NotSaved> {
            SoloCheckpoints.open(directory.resolve("full.cairn"), files = FullDisk()) { value("n", { 1L }, {}) }.use {
                it.saveIfDue(1, until = 1)
                said += "${it.lastSave}"
                it.save(2)
            }
        }
    var nested: SoloCheckpoints? = null
    SoloCheckpoints
        .open(directory.resolve("nested.cairn")) {
            value("n", Codecs.LONG, { 1L.also { runBlocking { nested?.save(1) } } }, {})
        }.use {
            nested = it
            said += failure<IllegalStateException> { it.save(1) }
        }
    said += failure<IllegalStateException> { checkpoints.save(9) }
    return said
}
