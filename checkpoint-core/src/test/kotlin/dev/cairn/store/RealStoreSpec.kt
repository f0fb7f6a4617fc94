package dev.cairn.store

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.LockingProcess
import dev.cairn.sion.store.fixture.diskDirectory
import dev.cairn.sion.store.fixture.realPlace
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.Path

/** The store on the operating system's own files. */
@Tags(JDK_DEPENDENT)
class RealStoreSpec :
    FunSpec({
        val files = FileBlockStore()

        fun newStore() = checkpointStore(files, realPlace(diskDirectory).path("heat.cairn"))

        fun CheckpointStore.own() = own(owner("a"), noonClock)

        test("checkpoints are saved, found, kept and deleted") {
            val store = newStore()
            store.own().use { owned ->
                repeat(4) { owned.save(files) }
                owned.begin().abandon("for the test")
                owned.retain(Retention.keepLast(), wholeData(files)).total().removed shouldContainExactly listOf(1, 2)
            }
            val good = store.discover(wholeData(files)).shouldBeInstanceOf<Discovery.Good>()
            good.newest.number shouldBe 4
            Files.list(store.directory).use { names -> names.map { it.name }.sorted().toList() } shouldContainExactly
                listOf("000003", "000004", "000005", "lock")
        }

        test("one program at a time owns it") {
            val store = newStore()
            store.own().use { shouldThrow<InUse> { store.own() } }
            store.own().use { it.takeover.shouldBeNull() }
        }

        test("a file system that is read-only is told as such, with the file") {
            val directory = newStore().also { it.own().close() }.directory
            val readOnly =
                object : ForwardingStore(files) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.kind() != BlockStore.Operation.Kind.CREATE) return
                        throw FileSystemException("${operation.path()}", null, "Read-only file system")
                    }
                }
            val failure = shouldThrow<DiskException> { checkpointStore(readOnly, directory).own() }
            failure.trouble() shouldBe DiskException.Trouble.DENIED
            failure.message shouldBe "$directory/lock: Read-only file system"
        }

        test("another process keeps it until it is killed") {
            val store = newStore()
            store.own().close()
            LockingProcess(store.directory.resolve("lock")).use { process ->
                process.hasLock shouldBe true
                shouldThrow<InUse> { store.own() }.message shouldContain
                    "it belongs to a program that is just beginning, and has left no note yet. Wait until it has ended"
                process.kill()
                store.own().close()
            }
        }

        test("a link that leads nowhere may stand for a checkpoint, so a program must not start fresh") {
            val store = newStore()
            store.own().close()
            Files.createSymbolicLink(store.directory.resolve("000001"), Path.of("/nowhere/000001"))
            store.discover(wholeData(files)).shouldBeInstanceOf<Discovery.NoneGood>()
        }

        test("a store may lie in the working directory") {
            val directory = Path.of("RealStoreSpec.cairn")
            try {
                checkpointStore(files, directory).own().use { it.save(files) shouldBe 1 }
            } finally {
                directory.toFile().deleteRecursively()
            }
        }
    })
