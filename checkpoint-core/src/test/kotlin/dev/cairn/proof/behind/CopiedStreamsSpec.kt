package dev.cairn.proof.behind

import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Streams that are copied, and written in the background. */
class CopiedStreamsSpec :
    FunSpec({
        quietly()

        test("a process that has died writes no further frame of a copied stream") {
            val deaths =
                (1L..60).count { seed ->
                    val disk = SimulatedDisk().withParent()
                    val watch = WrittenLate(disk.host("node1"))
                    val plan =
                        RankPlan(2, Schedule.Deterministic(seed), hosts = { "node$it" })
                            .withFaults(listOf(Fault.HostDies("node1", 14 + seed % 8)))
                            .withOnHostDeath { watch.isDead = true }
                    attemptRanks(plan) {
                        val files = if (rank == 1) watch else disk.host("node0")
                        checkpoints(DIRECTORY, TWO_FILES, files) { stream("s", { it.write(STREAM) }, {}) }.use {
                            it.saveAsync(1)
                            while (it.isSaveUnderWay) it.progress()
                        }
                    }
                    withClue("seed $seed") { watch.count shouldBe 0 }
                    watch.isDead
                }
            (deaths > 10) shouldBe true
        }
    })

/** Each host has a file of its own. */
private val TWO_FILES = CheckpointOptions { files = DataFiles.perHost() }

/** Three frames. */
private val STREAM = ByteArray(3 shl 20) { (it % 251).toByte() }

/** Counts the writes of data by a process that [isDead]. */
private class WrittenLate(target: BlockStore) : ForwardingStore(target) {
    var isDead = false
    var count = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        if (isDead && operation.kind() == Kind.WRITE && operation.length() >= 1 shl 20) count++
    }
}
