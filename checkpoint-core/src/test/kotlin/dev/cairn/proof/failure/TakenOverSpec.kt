package dev.cairn.proof.failure

import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.SaveOutcome
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Decomposition
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.state.SmallState
import dev.cairn.proof.state.openSmall
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.OwnerFile
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.owner
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf

/** Another program takes the store over while this one saves into it. Whatever fails from then on, all ranks learn that. */
class TakenOverSpec :
    FunSpec({
        for ((moment, isThen) in listOf<Pair<String, (BlockStore.Operation) -> Boolean>>(
            "before it begins" to { it.kind() == Kind.MAKE_DIRECTORY },
            "when its data are written, which the new owner deletes" to { it.isOfData && it.kind() == Kind.WRITE },
            "when its data are forced" to { it.isOfData && it.kind() == Kind.FORCE },
        )) {
            for (wait in listOf("save", "saveAsync")) {
                test("a store that is taken over $moment, in $wait") {
                    val store = TakenOverStore(SimulatedDisk().withParent().host("node0"), isThen)
                    val log = loggedBy { saveTwice(store, wait == "save") }
                    log.single { ": a restart continues from" in it } shouldContain
                        "a restart continues from the saves of another program"
                }
            }
        }
    })

private suspend fun saveTwice(store: TakenOverStore, isDirect: Boolean) =
    ranks(RankPlan(3, Schedule.Deterministic(1))) {
        val (state, checkpoints) = openSmall(store, Decomposition.rows(SmallState.SHAPE, size), DIRECTORY)
        checkpoints.use {
            state.advanceTo(1)
            it.save(1).number shouldBe 1
            store.isWanted = true
            val failure =
                shouldThrowFor<InUse>(Reason.TAKEN_OVER) { if (isDirect) it.save(2) else it.saveAsync(2).await() }
            failure.path shouldBe DIRECTORY.resolve(SaveNames.OWNER)
            failure.failures.map { rank -> rank.rank } shouldBe listOf(0)
            it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
        }
    }

private val BlockStore.Operation.isOfData get() = path().name == SaveNames.DATA

/** Once another program [isWanted], it takes the store over at the first operation for which [isThen], whose file it deletes. */
private class TakenOverStore(private val files: BlockStore, private val isThen: (BlockStore.Operation) -> Boolean) :
    ForwardingStore(files) {
    @Volatile var isWanted = false

    override fun onOperation(operation: BlockStore.Operation) {
        if (!isWanted || !isThen(operation)) return
        isWanted = false
        OwnerFile(files, DIRECTORY).place(owner("successor")).close()
        if (operation.isOfData) files.delete(operation.path())
    }
}
