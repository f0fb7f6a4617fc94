package dev.cairn

import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.ranks
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.withContext
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine

/** A program of one rank runs on the thread that has called it, under that thread's name: it may know the thread, or its name. */
class CallingThreadSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
            test("blocking, $wait: before and after each save it is the calling thread, under its name") {
                val store = directory.resolve("blocking-$wait.cairn")
                val seen = on("solver") { blockingLoop(store, wait) + blockingSteps(store.resolve("steps"), wait) }
                seen.distinct() shouldContainExactly listOf("solver")
            }

            test("suspending without a dispatcher, $wait: an event loop on the calling thread") {
                val store = directory.resolve("bare-$wait.cairn")
                on("solver") { withoutDispatcher { suspendingSteps(store, wait) } }.distinct() shouldBe listOf("solver")
            }

            test("suspending, $wait: the caller's dispatcher") {
                val store = directory.resolve("dispatched-$wait.cairn")
                val solver = Executors.newSingleThreadExecutor { Thread(it, "solver") }.asCoroutineDispatcher()
                solver.use {
                    withContext(it) { suspendingSteps(store, wait) }.distinct() shouldBe listOf("solver")
                }
            }
        }

        test("an exception of the only rank is thrown as it is") {
            val thrown = IOException("no more fuel")
            shouldThrow<IOException> { BlockingRanks.run(1) { throw thrown } } shouldBeSameInstanceAs thrown
            shouldThrow<IOException> { BlockingRanks.everyRank(1) { throw thrown } } shouldBeSameInstanceAs thrown
            shouldThrow<IOException> { ranks(1) { throw thrown } } shouldBeSameInstanceAs thrown
            shouldThrow<IOException> { everyRank(1) { throw thrown } } shouldBeSameInstanceAs thrown
            shouldThrow<IOException> {
                BlockingSimulation.run("fuel", arrayOf("--dir", "$directory/fuel.cairn")) { throw thrown }
            } shouldBeSameInstanceAs thrown
        }

        test("a single rank that waits for itself, or dies, is still reported") {
            shouldThrow<Exception> { BlockingRanks.run(1) { it.receive(0, 1) } }.message shouldContain "rank 0"
            shouldThrow<Exception> { ranks(1) { receive(0, 1) } }.message shouldContain "rank 0"
            val dying = RankPlan(1).withFaults(listOf(Fault.RankDies(0, 2)))
            val body = shouldThrow<RunFailedException> { BlockingRanks.run(dying) { repeat(2) { _ -> it.barrier() } } }
            body.message shouldContain "1 died"
            shouldThrow<RunFailedException> { ranks(dying) { repeat(2) { barrier() } } }.message shouldContain "1 died"
        }
    })

/** The name of this thread, without the words of the debugger of coroutines. */
private val threadHere get() = Thread.currentThread().name.substringBefore(" @")

private fun <T> on(name: String, work: () -> T): T {
    val result = AtomicReference<Result<T>>()
    thread(name = name) { result.set(runCatching(work)) }.join()
    return result.get().getOrThrow()
}

/** As `suspend fun main` does. */
private fun <T> withoutDispatcher(work: suspend () -> T): T {
    val result = AtomicReference<Result<T>>()
    work.startCoroutine(Continuation(EmptyCoroutineContext) { result.set(it) })
    return checkNotNull(result.get()) { "the work goes on elsewhere" }.getOrThrow()
}

private fun blockingLoop(store: Path, wait: Wait): List<String> {
    val seen = mutableListOf<String>()
    val options = CheckpointOptions { this.wait = wait }
    BlockingRanks.run(1) { ranks ->
        seen += Thread.currentThread().name
        BlockingCheckpoints
            .open(ranks, store, options) {
                it.replicated("n", Codecs.LONG, { 1L.also { seen += threadHere } }, {})
            }.use {
                for (step in 1L..3) {
                    it.trySave(step)
                    seen += Thread.currentThread().name
                }
                it.awaitSaves()
            }
    }
    return seen
}

private fun blockingSteps(store: Path, wait: Wait): List<String> {
    val seen = mutableListOf<String>()
    val options =
        SimulationOptions {
            directory = store
            every = 1
            checkpoints { this.wait = wait }
        }
    BlockingSimulation.run("steps", emptyArray(), options) { sim ->
        sim.replicated("n", Codecs.LONG, { 1L.also { seen += threadHere } }, {})
        for (step in sim.steps(3)) seen += Thread.currentThread().name
        seen += Thread.currentThread().name
    } shouldBe ExitCode.FINISHED
    return seen
}

private suspend fun suspendingSteps(store: Path, wait: Wait): List<String> {
    val seen = mutableListOf<String>()
    val options =
        SimulationOptions {
            directory = store
            every = 1
            checkpoints { this.wait = wait }
        }
    runSimulation("steps", emptyArray(), options) {
        replicated("n", Codecs.LONG, { 1L.also { seen += threadHere } }, {})
        for (step in steps(3)) seen += threadHere
        seen += threadHere
    } shouldBe ExitCode.FINISHED
    return seen + threadHere
}
