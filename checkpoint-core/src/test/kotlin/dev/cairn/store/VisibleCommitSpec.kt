package dev.cairn.store

import dev.cairn.event.CheckpointException.InUse
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.save.abandonAfter
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.util.logging.Level

/** A commit that fails when the manifest has its name already, since the name cannot be forced: others may see the checkpoint. */
class VisibleCommitSpec :
    FunSpec({
        quietly(Level.WARNING)

        test(
            "a program that has lost the store does not delete the checkpoint, from which its successor may continue",
        ) {
            val files = SimulatedDisk().withParent().host("node0")
            val save = Unforced(files).own("a").begin()
            save.failToCommit(files)
            files.own("b", takeover = Takeover.Asked).use { shouldThrow<InUse> { save.abandon("it failed") } }
            found(files) shouldBe save.number
        }

        test("the owner of the store withdraws the checkpoint of a save that has failed") {
            val files = SimulatedDisk().withParent().host("node0")
            val save = Unforced(files).own("a").begin()
            save.failToCommit(files)
            save.abandonAfter(IOException("it failed"))
            found(files) shouldBe 0
        }

        test("if that fails, too, the log says that a restart may continue from it") {
            val files = SimulatedDisk().withParent().host("node0")
            val disk = Unforced(files)
            val save = disk.own("a").begin()
            save.failToCommit(files)
            disk.isDown = true
            val logged = loggedBy { save.abandonAfter(IOException("it failed")) }
            logged.single() shouldContain
                "WARNING: ${save.path}: the save failed, but its manifest may be there and could not be withdrawn, " +
                "so a restart may continue from it: "
            found(files) shouldBe save.number
        }

        test("a drained save stays a checkpoint when a newer save supersedes it") {
            val files = SimulatedDisk().withParent().host("node0")
            val save = Unforced(files).own("a").begin()
            save.seal(manifest(save.number), listOf(HostPlace("data.sion", "node0 below /local", 1)))
            save.failToCommit(files)
            save.abandonAfter(IOException("the drain failed"))
            save.abandon("superseded")
            found(files) shouldBe save.number
            save.hasEnded shouldBe true
        }
    })

private fun SaveDirectory.failToCommit(files: BlockStore) {
    writeData(files)
    shouldThrow<IOException> { commit(manifest(number)) }
}

/** The name of a manifest in the store cannot be forced once, and no file can be renamed or deleted while the disk [isDown]. */
internal class Unforced(private val files: BlockStore) : ForwardingStore(files) {
    private var hasFailed = false
    var isDown = false

    override fun onOperation(operation: BlockStore.Operation) {
        val isCommit =
            operation.kind() == BlockStore.Operation.Kind.FORCE_DIRECTORY &&
                operation.path().startsWith(DIRECTORY) &&
                files.exists(operation.path().resolve(SaveNames.MANIFEST))
        if (isCommit && !hasFailed) {
            hasFailed = true
            throw IOException("not forced")
        }
        if (isDown && operation.kind() in setOf(BlockStore.Operation.Kind.RENAME, BlockStore.Operation.Kind.DELETE)) {
            throw IOException("the disk is down")
        }
    }
}
