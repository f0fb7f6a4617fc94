package dev.cairn

import dev.cairn.cli.HEAT
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.writeText

/** A program that fails to open a store does not own it, for any reason of the failure. */
class OpeningSpec :
    FunSpec({
        quietly()

        test("whichever operation fails while a store is opened, the next program can open it") {
            val disk = SimulatedDisk().host("node0")
            ranks(1) { checkpoints(HEAT, files = disk) { replicated("n", { 1L }, {}) }.use { it.save(1) } }
            var failing = 0
            do {
                val door = FailingOnce(disk, ++failing)
                val isOpened =
                    ranks(2) {
                        runCatching {
                            checkpoints(
                                HEAT,
                                files = door,
                            ) { replicated("n", { 1L }, {}) }.close()
                        }.isSuccess
                    }.all { it }
                withClue("operation $failing") {
                    ranks(1) {
                        checkpoints(HEAT, files = disk) { replicated("n", { 1L }, {}) }.use { it.restore() }
                    } shouldBe listOf(Restored(1, 1, 1))
                }
            } while (!isOpened)
            failing shouldBeGreaterThan 5
        }

        test("a directory with other files alone is warned about once") {
            val directory = tempdir().toPath()
            val (other, empty, used) = listOf("other", "empty", "used").map { directory.resolve(it).createDirectory() }

            suspend fun warnings(store: Path) =
                loggedBy {
                    SoloCheckpoints.open(store) { value("n", Codecs.LONG, { 1L }, {}) }.use { it.save(1) }
                }.filter { it.startsWith("WARNING") }
            other.resolve("thesis.tex").writeText("")
            warnings(empty) shouldBe emptyList()
            warnings(other).single() shouldStartWith
                "WARNING: $other: it holds 'thesis.tex' and no checkpoints, so it is not known to be a directory for " +
                "them. "
            other.resolve("thesis.tex").exists() shouldBe true
            warnings(used) shouldBe emptyList()
            used.resolve("notes.txt").writeText("")
            warnings(used).filter { "notes.txt" in it } shouldBe emptyList()
        }

        test("whenever another rank dies while a store is opened, the next program can open it") {
            val disk = SimulatedDisk().host("node0")
            for (operation in 1L..20L) {
                val plan = RankPlan(2, Schedule.Deterministic(operation), faults = listOf(Fault.RankDies(1, operation)))
                attemptRanks(plan) { checkpoints(HEAT, files = disk) { replicated("n", { 1L }, {}) }.close() }
                withClue("operation $operation") {
                    ranks(1) { checkpoints(HEAT, files = disk) { replicated("n", { 1L }, {}) }.use { it.restore() } }
                }
            }
        }
    })

/** Its operation [failing] fails, and no other. */
private class FailingOnce(target: BlockStore, private val failing: Int) : ForwardingStore(target) {
    private var count = 0

    override fun onOperation(operation: BlockStore.Operation) {
        if (++count == failing) throw IOException("planned trouble with $operation")
    }
}
