package dev.cairn.proof.behind

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.PerRankRule
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import java.io.IOException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** Longer than a save takes that need not wait for its disk. */
private val WAIT = 500.milliseconds

/** Waits for a save that do not end with it: cancelled ones, those that come too late, and those of a restore. */
class AsyncWaitsSpec :
    FunSpec({
        quietly()

        test("a wait that is cancelled leaves the save under way, and the program may wait again") {
            val disk = SimulatedDisk().withParent()
            val gate = Gate()
            ranks(1) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use { checkpoints ->
                    checkpoints.saveAsync(1)
                    coroutineScope { launch(start = UNDISPATCHED) { checkpoints.awaitSaves() }.cancelAndJoin() }
                    gate.open()
                    checkpoints.awaitSaves().shouldBeInstanceOf<Saved>()
                }
            }
        }

        test("a program waits for all the time of a direct save, and its line says no second time") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                Meter().open(this, disk.host("node0")).use { checkpoints ->
                    for (step in 1L..3L) {
                        val saved = checkpoints.save(step)
                        saved.waited shouldBe saved.time
                        "$saved" shouldNotContain "waited"
                    }
                }
            }
        }

        test("the time that a program waits between the meetings of a save is part of its waiting time") {
            val disk = SimulatedDisk().withParent()
            val gate = Gate()
            ranks(1) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use { checkpoints ->
                    checkpoints.saveAsync(1)
                    coroutineScope {
                        val saved = async(start = UNDISPATCHED) { checkpoints.awaitSaves() }
                        val waiting = TimeSource.Monotonic.markNow()
                        while (waiting.elapsedNow() < WAIT) Thread.onSpinWait()
                        gate.open()
                        saved.await().shouldBeInstanceOf<Saved>().waited shouldBeGreaterThanOrEqualTo WAIT
                    }
                }
            }
        }

        test("a restore throws what the save before it has found") {
            val disk = SimulatedDisk().withParent()
            var reads = 0L
            ranks(1) {
                val options = CheckpointOptions { verifySnapshot = true }
                checkpoints(DIRECTORY, options, disk.host("node0")) {
                    perRank("reads", { listOf(reads++) }, {}, PerRankRule.Drop())
                }.use {
                    it.saveAsync(1)
                    shouldThrow<CheckpointException.StateDiffers> { it.restore() }
                }
            }
        }

        test("files that do not close keep no program from giving its store back") {
            val disk = SimulatedDisk().withParent()
            var isRefusing = false
            val refusing =
                object : ForwardingStore(disk.host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if ("data.sion" !in "${operation.path()}") return
                        if (operation.kind() == BlockStore.Operation.Kind.WRITE &&
                            operation.length() > 100
                        ) {
                            isRefusing = true
                        }
                        if (isRefusing) throw IOException("refused")
                    }
                }
            ranks(1) {
                val checkpoints = Meter().open(this, refusing)
                checkpoints.saveAsync(1)
                while (checkpoints.isSaveUnderWay && !checkpoints.ready().making) Thread.onSpinWait()
                checkpoints.close()
                Meter().open(this, disk.host("node0")).use { it.restore() shouldBe null }
            }
        }

        test("a store that cannot be given back fails no program, and the next one takes it over") {
            val disk = SimulatedDisk().withParent()
            val files = disk.host("node0")
            var isReadOnly = false
            val turning =
                object : ForwardingStore(files) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isChange =
                            operation.kind() == BlockStore.Operation.Kind.WRITE ||
                                operation.kind() == BlockStore.Operation.Kind.DELETE
                        if (isReadOnly && isChange) throw IOException("read-only")
                    }
                }
            ranks(1) {
                val checkpoints = Meter().open(this, turning)
                checkpoints.save(1)
                isReadOnly = true
                checkpoints.close()
                Meter().open(this, files).use { it.restore()?.step shouldBe 1 }
            }
        }

        test("a save that is awaited after its checkpoints were closed says so") {
            val disk = SimulatedDisk().withParent()
            val gate = Gate()
            ranks(1) {
                val checkpoints = Meter().open(this, gate.inFrontOf(disk.host("node0")))
                val save = checkpoints.saveAsync(1)
                checkpoints.close()
                gate.open()
                shouldThrow<IllegalStateException> { save.await() }.message shouldContain
                    "the checkpoints were closed before the program learned the outcome of the save: "
            }
        }
    })
