package dev.cairn.proof.behind

import dev.cairn.comm.RankPlan
import dev.cairn.comm.RankPlan.RunEvent
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Operation.Kind
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.time.Duration.Companion.seconds

/** Rank 0 waits for a deletion that takes longer than a rank may wait for another one. */
class LongDeletionsSpec :
    FunSpec({
        quietly()

        test("a save that would make a third deletion pending waits for longer than a call may take") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = OtherRank(gate)
            ranks(waiting.plan) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use {
                    for (step in 1L..4) it.save(step)
                    waiting.during(rank) { it.save(5) }.number shouldBe 5
                }
            }
        }

        test("so does one for which there is no room") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = OtherRank(gate)
            val isFull = { disk.host("node0").exists(dataOf(1)) && disk.host("node0").exists(dataOf(3)) }
            ranks(waiting.plan) {
                Meter().open(this, FullWhile(gate.inFrontOf(disk.host("node0")), isFull)).use {
                    for (step in 1L..3) it.save(step)
                    waiting.during(rank) { it.save(4) }.number shouldBe 4
                }
            }
        }

        test("so does the first save of a program, which deletes what the one before has left") {
            val disk = SimulatedDisk().withParent()
            ranks(2) { Meter().open(this, disk.host("node0")).use { for (step in 1L..2) it.save(step) } }
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = OtherRank(gate)
            ranks(waiting.plan) {
                val options = CheckpointOptions { keepOnlyNewest() }
                Meter().open(this, gate.inFrontOf(disk.host("node0")), options).use {
                    it.restore()?.number shouldBe 2
                    waiting.during(rank) { it.save(3) }.number shouldBe 3
                }
            }
        }

        test("so does the first save after a program that was killed in the middle of one") {
            val disk = SimulatedDisk().withParent()
            val files = disk.host("node0")
            ranks(2) { Meter().open(this, files).use { for (step in 1L..2) it.save(step) } }
            files.delete(DIRECTORY.resolve(SaveNames.directory(2)).resolve(SaveNames.MANIFEST))
            files.create(DIRECTORY.resolve(SaveNames.directory(2)).resolve(SaveNames.NEW_MANIFEST)).close()
            val gate = HeldFile(dataOf(2), Kind.DELETE)
            val waiting = OtherRank(gate)
            ranks(waiting.plan) {
                Meter().open(this, gate.inFrontOf(files)).use {
                    it.restore()?.number shouldBe 1
                    waiting.during(rank) { it.save(3) }.number shouldBe 3
                }
            }
        }

        test("so does a restore") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = OtherRank(gate)
            ranks(waiting.plan) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use {
                    for (step in 1L..3) it.save(step)
                    waiting.during(rank) { it.restore() }?.number shouldBe 3
                }
            }
        }
    })

/**
 * Rank 1 waits for rank 0, which waits for the file of the [gate]. The gate opens when rank 1 makes the same call a second time: so it has
 * been told to wait once more. If it is not, its wait ends with the limit of a call.
 */
private class OtherRank(
    private val gate: HeldFile,
) {
    @Volatile private var isWaiting = false
    private var call = ""

    val plan = RankPlan(2, limit = 20.seconds, observer = ::observe)

    /** Makes the [call] that waits. */
    suspend fun <T> during(
        rank: Int,
        call: suspend () -> T,
    ): T {
        if (rank == 1) isWaiting = true
        try {
            return call()
        } finally {
            // Also after a failure, since rank 0 cannot close before.
            if (rank == 1) gate.open()
        }
    }

    private fun observe(event: RunEvent) {
        if (event.rank != 1 || !isWaiting) return
        val next = event.what.substringBefore(' ')
        if (next == call) gate.open()
        call = next
    }
}
