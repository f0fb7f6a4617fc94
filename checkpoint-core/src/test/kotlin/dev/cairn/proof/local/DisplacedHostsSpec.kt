package dev.cairn.proof.local

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.node.LocalSaves
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.HostIdentity
import dev.cairn.store.OwnerFile
import dev.cairn.store.owner
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull

/** A program that does not know yet that another one has displaced it leaves the saves of its successor on the hosts. */
class DisplacedHostsSpec :
    FunSpec({
        quietly()

        for (wait in listOf(Wait.LOCAL, Wait.COMMITTED)) {
            test("a save that was displaced after it has got its number deletes no later one: wait = $wait") {
                val files = HostDisks().door("node0")
                ranks(1) {
                    open(files, wait) { files.successor().begin(7) }.use {
                        it.trySave(1)
                        files.successor().numbers() shouldContain 7
                    }
                }
            }
        }

        test("a start that is displaced before it looks at the hosts deletes nothing there") {
            val files = HostDisks().door("node0")
            ranks(1) { open(files, Wait.LOCAL) {}.use { it.trySave(1) } }
            val displacing =
                object : ForwardingStore(files) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.kind() != Kind.CREATE || !operation.path().startsWith(LOCAL)) return
                        OwnerFile(files, DIRECTORY).place(owner("successor")).close()
                        files.successor().begin(7)
                    }
                }
            ranks(1) { shouldThrowFor<InUse>(Reason.TAKEN_OVER) { open(displacing, Wait.LOCAL) {} } }
            files.successor().numbers() shouldContain 7
        }
    })

private suspend fun Communicator.open(files: BlockStore, wait: Wait, beforeSave: () -> Unit) =
    checkpoints(DIRECTORY, CheckpointOptions(LOCALLY) { this.wait = wait }, files) {
        replicated("u", { 1L }, {})
        beforeSave(beforeSave)
    }

/** The saves on this host of a program that has taken the store over. */
private fun BlockStore.successor() = LocalSaves(this, LOCAL, HostIdentity.read(this, DIRECTORY).shouldNotBeNull())
