package dev.cairn.proof.behind

import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.ranks
import dev.cairn.sion.Grouping
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** What is logged of saves that the program does not wait for. */
class AsyncReportSpec :
    FunSpec({
        for (known in Known.entries) {
            test("the state $known is written at once where there is no room for a copy, and the line says so") {
                for ((memory, grouping) in ROOMS) {
                    val disk = SimulatedDisk().withParent()
                    val options =
                        CheckpointOptions(SMALL_OPTIONS) {
                            snapshotMemory = memory
                            this.grouping = grouping
                        }
                    val log = loggedBy { ranks(3) { saveAsync(known, disk.host("node0"), 1L..2, options) } }
                    withClue("$memory bytes, $grouping") {
                        if (memory == 0L) log.filter { "no room" in it }.size shouldBe 2
                        ranks(2) { restoreKnown(known, disk.host("node0"))?.step }.distinct() shouldBe listOf(2L)
                    }
                }
            }
        }

        test("a save that is not awaited fails with a warning, and no worker goes on") {
            val disk = SimulatedDisk().withParent()
            val gate = Gate(number = 2)
            val log =
                loggedBy {
                    ranks(2) {
                        val checkpoints = Meter().open(this, gate.inFrontOf(disk.host("node0")))
                        checkpoints.save(1)
                        checkpoints.saveAsync(2)
                        barrier()
                        checkpoints.close()
                        gate.open()
                    }
                }
            log.single { "because save 2" in it } shouldContain
                "a restart continues from save 1, step 1, because save 2 at step 2 failed: the program ended " +
                "while it was being written"
            ranks(1) {
                val meter = Meter()
                meter.open(this, disk.host("node0")).use { it.restore()?.step shouldBe 1 }
            }
        }
    })

/** Sizes of the memory for copies, with groups of ranks that share blocks, and without. */
private val ROOMS = listOf(0L, 100L, 1000L).flatMap { listOf(it to Grouping.none(), it to Grouping.ofAbout(2)) }
