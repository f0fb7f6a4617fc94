package dev.cairn.sion.file

import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.append.MultifileAppender
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** A file that cannot be closed after a failure does not hide the failure. */
class FailedCloseSpec :
    FunSpec({
        val path = Path.of("/x.sion")

        fun damaged(): BlockStore {
            val store = SimulatedDisk().host("node")
            store.create(path).use { it.write(0, ByteBuffer.wrap(ByteArray(2000) { 1 })) }
            return UnclosableStore(store)
        }

        fun unfinished(): BlockStore {
            val store = SimulatedDisk().host("node")
            MultifileWriter.create(store, MultifileSpec.serial(path).withBlockSize(512), TaskRequest.ofSizes(9)).close()
            return UnclosableStore(store)
        }

        fun suppressed(failure: Throwable) = failure.suppressed.map { it.message }.distinct()

        test("of a file that is no multifile") {
            suppressed(shouldThrow<SionException.NotAMultifile> { Multifile.open(damaged(), path) }) shouldBe
                listOf("close fails")
        }

        test("of a multifile that was not finished") {
            listOf<(BlockStore) -> Unit>(
                { Multifile.open(it, path) },
                { Multifile.openTask(it, path, 0) },
                { MultifileAppender.open(it, path) },
            ).forEach { open ->
                suppressed(shouldThrow<SionException.NeverClosed> { open(unfinished()) }) shouldBe
                    listOf("close fails")
            }
        }
    })

private class UnclosableStore(private val store: BlockStore) : BlockStore by store {
    override fun open(file: Path, access: Access): BlockFile =
        object : BlockFile by store.open(file, access) {
            override fun close(): Unit = throw IOException("close fails")
        }
}
