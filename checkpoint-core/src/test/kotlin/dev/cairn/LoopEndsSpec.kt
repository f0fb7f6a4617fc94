package dev.cairn

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SettingsSources
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.Codecs
import dev.cairn.store.stopFileOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.io.path.createFile
import kotlin.io.path.exists

/** Where a loop of the program's own begins and ends, and what a restart and the events know of its end. */
class LoopEndsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        for (next in listOf(1L, 2L)) {
            test(
                "a stop that was asked for in the last step of a loop stops the next one at step $next, which is saved",
            ) {
                val store = directory.resolve("next-$next.cairn")
                counting(store).use {
                    stopFileOf(store).createFile()
                    it.saveIfDue(1, until = 1) shouldBe false
                    stopFileOf(store).exists() shouldBe false
                    it.isStopped shouldBe false
                    it.saveIfDue(next, until = 15) shouldBe false
                    it.isStopped shouldBe true
                    it.checkpoints.exitCode shouldBe ExitCode.UNFINISHED
                }
                counting(store).use { it.restore() shouldBe next }
            }
        }

        test("a loop that has ended early does no step after a restart, unless it is to go on") {
            val store = directory.resolve("early.cairn")
            counting(store).use {
                it.saveIfDue(0, until = 100) shouldBe true
                it.saveIfDue(7, until = 7) shouldBe false
            }
            repeat(2) {
                counting(store).use {
                    it.restore() shouldBe 7
                    it.saveIfDue(7, until = 100) shouldBe false
                    it.isStopped shouldBe false
                    it.checkpoints.exitCode shouldBe ExitCode.FINISHED
                    it.lastSave shouldBe null
                }
            }
            counting(store).use {
                it.restore()
                shouldThrow<Mismatch> { it.saveIfDue(8, until = 100) }.message shouldContain
                    "save 1 was made after 7 steps, at which its loop had ended, but the program has done step 8"
            }
            counting(store, toGoOn()).use {
                it.restore() shouldBe 7
                it.saveIfDue(7, until = 100) shouldBe true
            }
        }

        test("a loop that names a later end and then its present step has ended early") {
            val store = directory.resolve("later.cairn")
            counting(store).use {
                it.saveIfDue(0, until = 3) shouldBe true
                it.saveIfDue(1, until = 100) shouldBe true
                it.saveIfDue(7, until = 7) shouldBe false
            }
            counting(store).use {
                it.restore() shouldBe 7
                it.saveIfDue(7, until = 100) shouldBe false
            }
        }

        test("a loop that was at its known end goes on to a later one") {
            val store = directory.resolve("later.cairn")
            counting(store).use {
                it.saveIfDue(0, until = 5) shouldBe true
                it.saveIfDue(5, until = 5) shouldBe false
            }
            counting(store).use {
                it.restore() shouldBe 5
                it.saveIfDue(5, until = 9) shouldBe true
            }
        }

        for (until in listOf(1L, 9L)) {
            test("a failed last save is in the event of the end, of a loop until step $until") {
                val store = directory.resolve("full-$until.cairn")
                val events = ConcurrentLinkedQueue<CheckpointEvent>()
                val options = CheckpointOptions { listener { events += it } }
                val lost = "the last save is not committed; there is no checkpoint of this run yet. save "
                shouldThrow<NotSaved> {
                    SoloCheckpoints.open(store, options, FullDisk()) { value("n", Codecs.LONG, { 1L }, {}) }.use {
                        if (until > 1) stopFileOf(store).createFile()
                        it.saveIfDue(1, until)
                        it.isStopped shouldBe (until > 1)
                        it.checkpoints.exitCode shouldBe ExitCode.UNSAVED
                    }
                }.message shouldContain "$store: $lost"
                ranks(1) {
                    shouldThrow<NotSaved> {
                        checkpoints(store, options, FullDisk()) { replicated("n", Codecs.LONG, { 1L }, {}) }.use {
                            it.saveIfDue(1, until = 1)
                        }
                    }.message shouldContain "$store: $lost"
                }
                events.filterIsInstance<CheckpointEvent.Ended>().map { it.how } shouldBe
                    listOf(ProgramEnd.UNSAVED, ProgramEnd.UNSAVED)
            }
        }

        test("a restored step beyond the end of the loop is a warning") {
            val store = directory.resolve("beyond.cairn")
            counting(store).use { it.save(9) }
            val logged =
                loggedBy {
                    counting(store).use {
                        it.restore() shouldBe 9
                        it.saveIfDue(9, until = 3) shouldBe false
                    }
                }
            logged.joinToString("\n") shouldContain
                "save 1 was made after 9 steps, but the loop without a phase ends at step 3"
        }

        test("a hold at a step that the restored program has passed, or that lies behind its end, is a warning") {
            val holds =
                mapOf(
                    (9L to 20L) to "hold-at is 9, but this loop begins after step 9",
                    (3L to 20L) to "hold-at is 3, but this loop begins after step 9",
                    (12L to 9L) to "hold-at is 12, but this loop ends at step 9",
                )
            for ((steps, warning) in holds) {
                val (holdAt, until) = steps
                val store = directory.resolve("held-$holdAt.cairn")
                counting(store).use { it.save(9) }
                val settings = mapOf("CAIRN_HOLD_AT" to "$holdAt")
                val options = CheckpointOptions().configured(SettingsSources(settings, FileBlockStore()))
                val logged =
                    loggedBy {
                        counting(store, options).use {
                            it.restore() shouldBe 9
                            it.saveIfDue(9, until) shouldBe (until > 9)
                            if (until > 9) it.saveIfDue(10, until) shouldBe true
                        }
                    }
                logged.single { "hold-at" in it } shouldBe
                    "WARNING: $store: $warning, so the program does not wait in it to be killed. Set hold-at to a " +
                    "step of the loop."
            }
        }

        test("the log promises a save at the end only if the end is known") {
            for ((until, promise) in mapOf(
                Long.MAX_VALUE to "only on request,",
                9L to "only at its end and on request,",
            )) {
                val logged = loggedBy { counting(directory.resolve("promise-$until")).use { it.saveIfDue(1, until) } }
                logged.joinToString("\n") shouldContain "the program saves $promise"
            }
        }

        test("the first call is a save if one was due since the restore") {
            val store = directory.resolve("strides.cairn")
            val events = ConcurrentLinkedQueue<CheckpointEvent>()
            val options =
                CheckpointOptions {
                    every = 50
                    listener { events += it }
                }
            repeat(2) {
                counting(store, options).use {
                    val start = it.restore()
                    for (stride in 1..2) it.saveIfDue(start + stride * 120)
                }
            }
            events.filterIsInstance<Saved>().map { it.step } shouldBe listOf(120L, 240L, 360L, 480L)
        }

        test("the restored state counts as saved once") {
            counting(directory.resolve("sweep.cairn")).use {
                it.restore() shouldBe 0
                it.saveIfDue(0, until = 10) shouldBe true
                it.lastSave shouldBe null
                it.saveIfDue(3, until = 10) shouldBe true
                it.saveIfDue(0, until = 0) shouldBe false
                (it.lastSave as SaveOutcome.Saved).step shouldBe 0
            }
        }
    })

private fun toGoOn(): CheckpointOptions =
    CheckpointOptions().configured(SettingsSources(mapOf("CAIRN_GO_ON" to "true"), FileBlockStore()))
