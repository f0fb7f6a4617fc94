package dev.cairn.sion

import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.file.Path
import kotlin.io.path.writeBytes

/** Meta data that one process reads and sends to the others. */
class MultifileMetaSpec :
    FunSpec({
        val path = tempdir().toPath().resolve("x.sion")
        val taskCount = 6
        val streamSize = 200_000

        fun byteAt(task: Int, index: Int) = (task * 31 + index * 7 + (index shr 8)).toByte()

        beforeSpec {
            val spec = MultifileSpec.parallel(path).withBlockSize(4096).withMapping(FileMapping.byFile { it % 3 })
            MultifileWriter.create(spec, TaskRequest.equal(taskCount, 70_000)).use { writer ->
                repeat(taskCount) { task ->
                    writer.task(task).append(ByteBuffer.wrap(ByteArray(streamSize) { byteAt(task, it) }))
                }
                writer.finish()
            }
        }

        fun sent() = MultifileMeta.of(path, MultifileMeta.read(FileBlockStore(), path).bytes())

        test("a view made of sent meta data shows what an opened one shows") {
            Multifile.open(path).use { opened ->
                sent().open(FileBlockStore()).use { view ->
                    view.info() shouldBe opened.info()
                    repeat(taskCount) { task ->
                        view.place(task) shouldBe opened.place(task)
                        view.task(task).globalRank() shouldBe task
                        val bytes = view.task(task).stream().readAllBytes()
                        bytes.contentEquals(ByteArray(streamSize) { byteAt(task, it) }) shouldBe true
                    }
                }
            }
        }

        test("opening touches no file, and reading only the file that holds the task") {
            val store = OpenedFiles()
            sent().open(store).use { view ->
                store.opened.shouldBeEmpty()
                view
                    .task(4)
                    .stream()
                    .readAllBytes()
                    .size shouldBe streamSize
                store.opened shouldBe listOf("x.sion.000001")
            }
        }

        test("a closed view opens nothing any more") {
            val store = OpenedFiles()
            val view = sent().open(store)
            view.close()
            shouldThrow<ClosedChannelException> { view.read(5, 100_000, ByteBuffer.allocate(1)) }
            store.opened.shouldBeEmpty()
        }

        test("damage is found where the meta data are read, as in opening") {
            val damaged = tempdir().toPath().resolve("y.sion")
            damaged.writeBytes(ByteArray(100))
            shouldThrow<SionException> { MultifileMeta.read(FileBlockStore(), damaged) }.message shouldBe
                shouldThrow<SionException> { Multifile.open(damaged) }.message
        }
    })

private class OpenedFiles : ForwardingStore(FileBlockStore()) {
    val opened = mutableListOf<String>()

    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() == BlockStore.Operation.Kind.OPEN) opened += name(operation.path())
    }

    private fun name(path: Path) = path.fileName.toString()
}
