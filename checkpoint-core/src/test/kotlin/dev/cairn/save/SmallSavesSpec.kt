package dev.cairn.save

import dev.cairn.SoloCheckpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.SaveNames
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.io.path.fileSize
import kotlin.io.path.listDirectoryEntries
import kotlin.random.Random

/** What one process with a small state writes and forces: a disk takes milliseconds for each force. */
class SmallSavesSpec :
    FunSpec({
        quietly()
        val files = FileBlockStore()

        test(
            "all files of a save of 4 KiB, a short stream and an output have at most 64 KiB, those of the first, too",
        ) {
            val directory = tempdir().toPath()
            val program = SmallProgram(directory)
            program.open(files, keepLast = 3).use { for (step in 1L..3L) it.save(step) }
            for (save in 1..3) {
                val sizes = program.filesOf(save).associate { "${it.fileName}" to it.fileSize() }
                withClue("save $save: $sizes") { sizes.values.sum() shouldBeLessThanOrEqual (64L shl 10) }
            }
        }

        test("a stream that grows and shrinks from save to save comes back, in few chunks once its size is known") {
            val directory = tempdir().toPath()
            val program = SmallProgram(directory)
            val sizes = listOf(0, 100, FRAME + 1, 3 * FRAME, 3 * FRAME, 17, 20_000, 40_000)
            for ((index, size) in sizes.withIndex()) {
                program.open(files).use {
                    it.restore()
                    program.streamed = Random(size).nextBytes(size)
                    it.save(2L * index)
                    it.save(2L * index + 1)
                }
                program.streamed = byteArrayOf()
                program.open(files).use { it.restore() shouldBe 2L * index + 1 }
                withClue("$size bytes") { program.streamed.contentEquals(Random(size).nextBytes(size)) shouldBe true }
                val data = program.filesOf(2 * index + 2).first { "${it.fileName}".endsWith(".sion") }
                Multifile.open(files, data).use { it.blockCount() shouldBeLessThan size / FRAME + 3 }
            }
        }

        test(
            "a save forces four files and four directories, and an output with its own, each before the next change may be seen",
        ) {
            val directory = tempdir().toPath()
            val changes = Changes(directory.resolve("small.cairn"))
            SmallProgram(directory).open(changes, keepLast = 100).use {
                it.save(1)
                it.save(2)
                changes.taken()
                it.save(3)
                changes.taken() shouldBe SAVE
            }
        }

        test("a deletion makes three changes durable") {
            val directory = tempdir().toPath()
            val changes = Changes(directory.resolve("small.cairn"))
            val program = SmallProgram(directory)
            program.open(changes, keepLast = 100).use { for (step in 1L..3L) it.save(step) }
            changes.taken()
            program.open(changes, keepLast = 3).use {
                it.restore()
                it.save(4)
            }
            val deletion = changes.taken().dropWhile { it != DELETION.first() }
            deletion.take(DELETION.size) shouldBe DELETION
        }

        test("a program forces no directory of a save that it has committed or forced before") {
            val directory = tempdir().toPath()
            val changes = Changes(directory.resolve("small.cairn"))
            SmallProgram(directory).open(changes).use { for (step in 1L..6L) it.save(step) }
            val forces =
                changes
                    .taken()
                    .filter { it.startsWith("FORCE_DIRECTORY 0") }
                    .groupingBy { it }
                    .eachCount()
            // Three by the save, two by its deletion.
            for (save in 1..4) forces["FORCE_DIRECTORY 00000$save"] shouldBe 5
            forces["FORCE_DIRECTORY 000006"] shouldBe 3
        }
    })

private const val FRAME = 1 shl 20

/** Files of the store that belong to no save, and may change at any time. */
private val OF_THE_OWNER = setOf(SaveNames.OWNER, "events.jsonl")

private val SAVE =
    listOf(
        "MAKE_DIRECTORY 000003",
        "CREATE 000003/manifest.json.new",
        // The mark: from here on, data without a manifest are those of a save that was not finished.
        "FORCE_DIRECTORY 000003",
        // The name of the directory: its number is used.
        "FORCE_DIRECTORY ",
        "CREATE 000003/data.sion",
        "WRITE 000003/data.sion",
        // The lines that the save covers, and the name of their file.
        "FORCE ../log.txt",
        "FORCE_DIRECTORY ..",
        // The state, through the file that wrote it: the system reports a failed write there.
        "FORCE 000003/data.sion",
        "WRITE 000003/data.sion",
        // The index and the end of the multifile, before the head that points to them.
        "FORCE 000003/data.sion",
        // The names of the data, before a manifest may be seen beside them.
        "FORCE_DIRECTORY 000003",
        "WRITE 000003/data.sion",
        // The head, without which the multifile is not closed.
        "FORCE 000003/data.sion",
        "WRITE 000003/manifest.json.new",
        // The manifest, before it gets its name.
        "FORCE 000003/manifest.json.new",
        "RENAME 000003/manifest.json.new",
        // The name of the manifest: this is the commit.
        "FORCE_DIRECTORY 000003",
    )

private val DELETION =
    listOf(
        "RENAME 000001/manifest.json",
        // It is no checkpoint any more, before its data go.
        "FORCE_DIRECTORY 000001",
        "DELETE 000001/data.sion",
        // The data are gone, before the mark that says so.
        "FORCE_DIRECTORY 000001",
        "DELETE 000001/manifest.json.new",
        "DELETE 000001",
        // The room and the name are free.
        "FORCE_DIRECTORY ",
    )

/** 4 KiB of state, a short stream and an output. */
internal class SmallProgram(private val directory: Path) {
    var streamed = ByteArray(100)
    private var state = Random(1).nextBytes(4096)

    suspend fun open(files: BlockStore, keepLast: Int = 2): SoloCheckpoints =
        SoloCheckpoints.open(directory.resolve("small.cairn"), CheckpointOptions { this.keepLast = keepLast }, files) {
            value("state", { state }, { state = it })
            stream("extra", { it.write(streamed) }, { streamed = it.readAllBytes() })
            output("log", directory.resolve("log.txt"))
        }

    fun filesOf(save: Int): List<Path> =
        directory.resolve("small.cairn").resolve("%06d".format(save)).listDirectoryEntries()
}

/** The changes of files, and what makes them durable, in order; several writes in a row count as one. */
private class Changes(private val store: Path) : ForwardingStore(FileBlockStore()) {
    private val seen = ConcurrentLinkedQueue<String>()

    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() !in CHANGING || "${operation.path().fileName}" in OF_THE_OWNER) return
        val change = "${operation.kind()} ${store.relativize(operation.path())}"
        if (operation.kind() != Kind.WRITE || seen.lastOrNull() != change) seen += change
    }

    fun taken(): List<String> = generateSequence(seen::poll).toList()

    private companion object {
        val CHANGING =
            setOf(
                Kind.CREATE,
                Kind.MAKE_DIRECTORY,
                Kind.RENAME,
                Kind.DELETE,
                Kind.FORCE_DIRECTORY,
                Kind.WRITE,
                Kind.FORCE,
                Kind.RESIZE,
            )
    }
}
