package dev.cairn

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingCommunicator
import dev.cairn.java.BlockingRanks
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SettingsSources
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.Codecs
import dev.cairn.store.saveFileOf
import dev.cairn.store.stopFileOf
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import sun.misc.Signal
import sun.misc.SignalHandler
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.createFile
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.minutes

/** A loop of the program's own that calls `saveIfDue` has what a loop over `steps` has. */
class OwnLoopSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
            for (until in listOf(7L, 9L)) {
                test("$wait: until step $until it makes the saves of a kept loop, in both languages") {
                    val kept = keptLoop(directory.resolve("kept-$wait-$until"), until, wait)
                    kept.filterIsInstance<SaveOutcome.Saved>().map { it.step } shouldBe
                        listOf(3L, 6L, until).distinct()
                    ownLoop(directory.resolve("own-$wait-$until"), until, wait).inWords() shouldBe kept.inWords()
                    blockingLoop(directory.resolve("java-$wait-$until"), until, wait).inWords() shouldBe kept.inWords()
                }
            }
        }

        test("a loop that leaves steps out saves at the next one that it passes") {
            savedSteps { options ->
                ranks(2) {
                    counting(directory.resolve("sparse.cairn"), CheckpointOptions(options) { every = 10 }).use {
                        for (step in 4L..24 step 4) it.saveIfDue(step, until = 24) shouldBe (step < 24)
                    }
                }
            } shouldBe listOf(12L, 20L, 24L)
        }

        test("a loop whose end is not known makes no last save, and one that ends early does") {
            for ((ends, steps) in mapOf(false to listOf(3L), true to listOf(3L, 5L))) {
                savedSteps { options ->
                    ranks(2) {
                        counting(directory.resolve("early-$ends"), CheckpointOptions(options) { every = 3 }).use {
                            for (step in 1L..4) it.saveIfDue(step) shouldBe true
                            if (ends) it.saveIfDue(5, until = 5) shouldBe false
                            it.isStopped shouldBe false
                            runCatching { it.exitCode }.getOrNull() shouldBe (if (ends) ExitCode.FINISHED else null)
                        }
                    }
                } shouldBe steps
            }
        }

        test("a loop that asks before each step saves neither what it has restored nor its end a second time") {
            savedSteps { options ->
                for (until in listOf(5L, 5L, 9L)) {
                    ranks(2) {
                        counting(directory.resolve("before.cairn"), CheckpointOptions(options) { every = 1 }).use {
                            var step = it.restore()?.step ?: 0
                            while (it.saveIfDue(step, until)) step++
                            step shouldBe until
                        }
                    }
                }
            } shouldBe (1L..9L).toList()
        }

        test("requests to save and to stop are carried out, and the loop ends without its results") {
            val store = directory.resolve("asked.cairn")
            val events = ConcurrentLinkedQueue<CheckpointEvent>()
            ranks(3) {
                counting(store) { listener { events += it } }.use {
                    var step = it.restore()?.step ?: 0
                    while (it.saveIfDue(++step)) {
                        if (rank == 0 && step == 2L) saveFileOf(store).createFile()
                        if (rank == 0 && it.lastSave != null && !stopFileOf(store).exists()) {
                            stopFileOf(store).createFile()
                        }
                    }
                    it.isStopped shouldBe true
                    it.exitCode shouldBe ExitCode.UNFINISHED
                    it.saveIfDue(step + 1) shouldBe false
                }
            }
            events.filterIsInstance<SaveOutcome.Saved>().size shouldBe 2
            events.filterIsInstance<CheckpointEvent.Ended>().map { it.how } shouldBe listOf(ProgramEnd.STOPPED)
        }

        test("before its job ends it saves and stops") {
            val store = directory.resolve("job.cairn")
            val options = CheckpointOptions { endsAt = Instant.now().plusSeconds(2) }
            BlockingRanks.run(2) { ranks ->
                blocking(ranks, store, options).use {
                    var step = 0L
                    while (it.saveIfDue(++step, 1_000_000_000)) check(step < 1_000_000_000)
                    it.isStopped shouldBe true
                    it.exitCode() shouldBe ExitCode.UNFINISHED
                    (it.lastSave().get() as SaveOutcome.Saved).step shouldBe step
                }
            }
        }

        test("signals are requests until the checkpoints are closed, and then the program's own again") {
            val heard = AtomicInteger()
            val own = SignalHandler { heard.incrementAndGet() }
            val former = Signal.handle(TERM, own)
            try {
                ranks(2) {
                    counting(directory.resolve("term.cairn")).use {
                        var step = 0L
                        while (it.saveIfDue(++step)) if (rank == 1 && step == 1L) Signal.raise(TERM)
                        it.isStopped shouldBe true
                    }
                }
                heard.get() shouldBe 0
                Signal.handle(TERM, own) shouldBe own
                ranks(2) {
                    counting(directory.resolve("left.cairn")) { signals = false }.use {
                        it.saveIfDue(1) shouldBe true
                        barrier()
                        if (rank == 1) Signal.raise(TERM)
                        eventually(1.minutes) { heard.get() shouldBe 1 }
                        it.saveIfDue(2) shouldBe true
                    }
                }
            } finally {
                Signal.handle(TERM, former)
            }
        }

        test("checkpoints whose program does not call it leave signals alone") {
            val own = SignalHandler { }
            val former = Signal.handle(TERM, own)
            try {
                ranks(2) {
                    counting(directory.resolve("saves.cairn")).use {
                        it.save(1)
                        Signal.handle(TERM, own) shouldBe own
                    }
                }
            } finally {
                Signal.handle(TERM, former)
            }
        }

        test("fresh and from, also from the environment, are for the first restore") {
            val store = directory.resolve("chosen.cairn")
            ranks(1) {
                counting(store) { keepLast = 9 }.use { checkpoints -> for (step in 1L..3) checkpoints.save(step) }
            }

            suspend fun restored(environment: Map<String, String>): List<Long?> {
                val options =
                    CheckpointOptions { keepLast = 9 }.configured(SettingsSources(environment, FileBlockStore()))
                return ranks(1) {
                    counting(store, options).use {
                        val first = it.restore()
                        it.save(7)
                        listOf(first?.step, it.restore()?.step)
                    }
                }.single()
            }
            restored(mapOf("CAIRN_FROM" to "2")) shouldBe listOf(2L, 7L)
            restored(mapOf("CAIRN_FRESH" to "true")) shouldBe listOf(null, 7L)
            restored(emptyMap()) shouldBe listOf(7L, 7L)
            shouldThrow<InvalidDeclaration> { restored(mapOf("CAIRN_FROM" to "2", "CAIRN_FRESH" to "true")) }
        }
    })

private val TERM = Signal("TERM")

private suspend fun savedSteps(program: suspend (CheckpointOptions) -> Unit): List<Long> {
    val events = ConcurrentLinkedQueue<CheckpointEvent>()
    program(CheckpointOptions { listener { events += it } })
    return events.filterIsInstance<SaveOutcome.Saved>().map { it.step }
}

private suspend fun Communicator.counting(store: Path, set: CheckpointOptions.Builder.() -> Unit = {}): Checkpoints =
    counting(store, CheckpointOptions(set = set))

private suspend fun Communicator.counting(store: Path, options: CheckpointOptions): Checkpoints =
    checkpoints(store, options) { replicated("n", Codecs.LONG, { 1L }, {}) }

private fun blocking(ranks: BlockingCommunicator, store: Path, options: CheckpointOptions) =
    BlockingCheckpoints.open(ranks, store, options) { it.replicated("n", Codecs.LONG, { 1L }, {}) }

private fun optionsOf(wait: Wait, events: MutableCollection<CheckpointEvent>) =
    CheckpointOptions {
        every = 3
        this.wait = wait
        listener { events += it }
    }

private suspend fun keptLoop(store: Path, until: Long, wait: Wait): List<CheckpointEvent> {
    val events = ConcurrentLinkedQueue<CheckpointEvent>()
    ranks(2) {
        val options =
            SimulationOptions {
                directory = store
                checkpoints(optionsOf(wait, events))
            }
        simulate("kept", emptyArray(), options) {
            replicated("n", Codecs.LONG, { 1L }, {})
            for (step in steps(until)) awaitSaves()
        } shouldBe ExitCode.FINISHED
    }
    return events.toList()
}

private suspend fun ownLoop(store: Path, until: Long, wait: Wait): List<CheckpointEvent> {
    val events = ConcurrentLinkedQueue<CheckpointEvent>()
    ranks(2) {
        counting(store, optionsOf(wait, events)).use {
            var step = it.restore()?.step ?: 0
            do {
                it.awaitOutcome()
                step++
            } while (it.saveIfDue(step, until))
            step shouldBe until
        }
    }
    return events.toList()
}

private fun blockingLoop(store: Path, until: Long, wait: Wait): List<CheckpointEvent> {
    val events = ConcurrentLinkedQueue<CheckpointEvent>()
    BlockingRanks.run(2) { ranks ->
        blocking(ranks, store, optionsOf(wait, events)).use {
            var step = it.restore().map { found -> found.step }.orElse(0)
            do {
                it.awaitSaves()
                step++
            } while (it.saveIfDue(step, until))
            it.exitCode() shouldBe ExitCode.FINISHED
        }
    }
    return events.toList()
}

/** Without times. */
private fun List<CheckpointEvent>.inWords(): List<String> =
    map {
        when (it) {
            is SaveOutcome.Saved -> "save ${it.number} at step ${it.step}"
            is CheckpointEvent.Started -> "started"
            is SaveOutcome.UnderWay -> "save ${it.number} goes on"
            else -> "$it"
        }
    }
