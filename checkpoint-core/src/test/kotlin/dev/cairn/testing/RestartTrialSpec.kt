package dev.cairn.testing

import dev.cairn.Simulation
import dev.cairn.checkpoints
import dev.cairn.event.SaveOutcome
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingCommunicator
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.save.Attempt
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.ThrowingBiConsumer
import dev.cairn.state.ThrowingConsumer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.util.Random
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** A trial must let a sound program pass, and say of each faulty one where it goes wrong. */
class RestartTrialSpec :
    FunSpec({
        quietly()
        val trial = RestartTrial(rankCount = 4, breakAt = 5, restartOn = listOf(1, 3, 4, 7))

        suspend fun differenceOf(on: RestartTrial = trial, program: suspend Simulation.() -> Unit) =
            shouldThrow<RestartDiffers> { on.run(program) }

        test("a sound program of fields, numbers and private values passes") {
            trial.run {
                val u by doubles(rows = 9, columns = 5, halo = 1) { i, j -> if (i < 0) 100.0 else i * 0.5 + j }
                var time by replicated(0.0)
                var total by replicated(0L)
                var tally by perRank(rank + 1L, PerRankRule.Merge { it.sum() })
                for (step in steps(until = 10)) {
                    u.exchangeHalo()
                    u.update { i, j -> u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] - 2 * u[i, j]) }
                    time += 0.1
                    tally += if (rank == 0) step else 0
                    total = ranks.allReduce(tally, Long::plus)
                }
            }
        }

        test("an undeclared variable is found") {
            val differs =
                differenceOf {
                    val u by doubles(rows = 9, columns = 5) { _, _ -> 0.0 }
                    var velocity = 1.0
                    for (step in steps(until = 10)) {
                        velocity *= 1.5
                        u.update { i, j -> u[i, j] + velocity }
                    }
                }
            differs.step shouldBe 6
            differs.items shouldContainExactly listOf("u")
            differs.message shouldContain
                "[u] differ first at step 6, after a restart from step 5 of 4 ranks on 1. Some state of the program"
        }

        test("with a seed the same trial goes the same way again, and says so") {
            /** Depends on which rank comes first. */
            suspend fun trialOf(seed: Long): RestartDiffers {
                val arrivals = AtomicLong()
                return differenceOf(trial.withSeed(seed)) {
                    var arrival by perRank(0L, PerRankRule.Merge { it.sum() })
                    var total by replicated(0L)
                    for (step in steps(until = 10)) {
                        arrival = arrivals.getAndIncrement()
                        total += ranks.allReduce(arrival * (rank + 1), Long::plus)
                    }
                }
            }
            val messages = List(8) { seed -> List(3) { trialOf(seed.toLong()).message } }
            for ((seed, same) in messages.withIndex()) {
                same.distinct().size shouldBe 1
                "${same.first()}" shouldContain " To repeat it, run the trial with seed $seed."
            }
        }

        test("a hidden generator of random numbers is found") {
            val differs =
                differenceOf {
                    val random = Random(42)
                    var kick by replicated(0.0)
                    for (step in steps(until = 10)) kick += random.nextDouble()
                }
            differs.step shouldBe 6
            differs.items shouldContainExactly listOf("kick")
        }

        test("a stale halo is found") {
            val differs =
                differenceOf(trial.withRestartOn(listOf(4))) {
                    val u by doubles(rows = 9, columns = 5, halo = 1) { i, j -> (i * i).toDouble() + j }
                    u.exchangeHalo()
                    for (step in steps(until = 10)) {
                        u.update { i, j -> u[i, j] + 0.3 * (u[i - 1, j] + u[i + 1, j] - 2 * u[i, j]) }
                        u.exchangeHalo()
                    }
                }
            differs.step shouldBe 6
            differs.items shouldContainExactly listOf("u")
        }

        test("a wrong rule for values of each rank's own is found in what the program makes of them") {
            val differs =
                differenceOf(trial.withRestartOn(listOf(4, 3))) {
                    var tally by perRank(rank + 1L, PerRankRule.Merge { it.firstOrNull() ?: 0 })
                    var total by replicated(0L)
                    for (step in steps(until = 10)) {
                        tally++
                        total = ranks.allReduce(tally, Long::plus) - (step + 1) * size
                    }
                }
            differs.step shouldBe 6
            differs.items shouldContainExactly listOf("total")
            differs.message shouldContain "after a restart from step 5 of 4 ranks on 3"
        }

        test("an output that is not cut back is found, with a loop of Cairn's and with one of its own") {
            val energies = tempdir().toPath().resolve("energies.txt")
            val watching = trial.withRestartOn(listOf(4, 3)).withOutputs(listOf(energies))

            suspend fun Simulation.program(isDeclared: Boolean) {
                if (isDeclared) appendedFile("energies", energies)
                var energy by replicated(0L)
                for (step in steps(until = 10)) {
                    energy += step
                    if (rank == 0 && step == 0L) energies.deleteIfExists()
                    if (rank == 0) energies.append("$step $energy\n")
                }
            }
            watching.run { program(isDeclared = true) }
            val differs = differenceOf(watching) { program(isDeclared = false) }
            differs.step shouldBe 6
            differs.items shouldContainExactly listOf("$energies")
            differs.message shouldContain "after a restart from step 5 of 4 ranks on 4."
            energies.exists() shouldBe false

            fun program(isDeclared: Boolean) =
                ThrowingBiConsumer<BlockingCommunicator, RestartTrial.Attempt> { ranks, attempt ->
                    BlockingCheckpoints
                        .open(ranks, attempt.directory, files = attempt.files) {
                            if (isDeclared) it.appendedFile("energies", energies)
                        }.use { checkpoints ->
                            val first = checkpoints.restore().map { it.step }.orElse(0)
                            for (step in first + 1..10) {
                                if (ranks.rank == 0 && step == 1L) energies.deleteIfExists()
                                if (ranks.rank == 0) energies.append("$step\n")
                                checkpoints.save(step)
                                if (attempt.isOver(step)) break
                            }
                        }
                }
            watching.run(program(isDeclared = true))
            shouldThrow<RestartDiffers> { watching.run(program(isDeclared = false)) }.items shouldContainExactly
                listOf("$energies")
        }

        test("an output that is not emptied when the program was killed before its first save is found") {
            val energies = tempdir().toPath().resolve("energies.txt")
            val differs =
                differenceOf(trial.withOutputs(listOf(energies))) {
                    var energy by replicated(0L)
                    appendedFile("energies", energies)
                    for (step in steps(until = 10)) {
                        energy += step
                        if (rank == 0) energies.append("$step $energy\n")
                    }
                }
            differs.step shouldBe 1
            differs.items shouldContainExactly listOf("energies", "$energies")
            differs.message shouldContain
                "when the program was killed before its first save and began again. If nothing is restored, a program"
        }

        for ((wait, outcome) in listOf(
            Wait.COPIED to SaveOutcome.Copied::class,
            Wait.LOCAL to SaveOutcome.Sealed::class,
        )) {
            test("a program that goes on when its state is $wait is tried, in Kotlin and in Java") {
                val count = AtomicInteger()
                val behind = trial.withWait(wait)
                behind.run {
                    listen { if (outcome.isInstance(it)) count.incrementAndGet() }
                    val u by doubles(rows = 9, columns = 5) { i, j -> i * 0.5 + j }
                    for (step in steps(until = 10)) u.update { i, j -> u[i, j] * 1.5 }
                }
                behind.run(
                    ThrowingConsumer<BlockingSimulation> { simulation ->
                        simulation.listen { if (outcome.isInstance(it)) count.incrementAndGet() }
                        val sum = simulation.replicated(0L).named("sum")
                        for (step in simulation.steps(10)) sum.value += step
                    },
                )
                // The last step of each run waits. In both trials: 10 steps, 1 and 10, and 6 and 5 on each number of ranks.
                count.get() shouldBe 2 * (9 + 0 + 9 + 4 * (5 + 4))
                differenceOf(behind) {
                    var sum by replicated(0L)
                    var hidden = 0L
                    for (step in steps(until = 10)) sum += ++hidden
                }.step shouldBe 6
            }
        }

        test(
            "an output belongs to the step whose state is taken, although the program goes on before that is committed",
        ) {
            val energies = tempdir().toPath().resolve("energies.txt")
            repeat(5) {
                trial.withWait(Wait.COPIED).withOutputs(listOf(energies)).run {
                    appendedFile("energies", energies)
                    for (step in steps(until = 10)) {
                        if (rank == 0 && step == 0L) energies.deleteIfExists()
                        if (rank == 0) energies.append("$step\n")
                    }
                }
            }
        }

        test("an output that was there before the trial stays, and there is no trial") {
            val energies = tempdir().toPath().resolve("energies.txt")
            energies.writeText("of last year")
            shouldThrow<IllegalArgumentException> { trial.withOutputs(listOf(energies)).run {} }.message shouldBe
                "the output $energies exists already: give each trial files of its own"
            energies.readText() shouldBe "of last year"
        }

        test("a program that does not end when it is asked to is told so") {
            shouldThrow<IllegalArgumentException> {
                trial.run(
                    ThrowingBiConsumer<BlockingCommunicator, RestartTrial.Attempt> { ranks, attempt ->
                        BlockingCheckpoints.open(ranks, attempt.directory, files = attempt.files) {}.use {
                            for (step in 1L..10) it.save(step)
                        }
                    },
                )
            }.message shouldBe
                "the program should have ended at step 1, as isOver() says, but continued to step 10"
        }

        test("a program that differs from run to run is told so, and not that its restart is wrong") {
            val clock = AtomicLong()
            val differs =
                differenceOf {
                    var time by replicated(0L)
                    for (step in steps(until = 10)) {
                        time =
                            ranks.allReduce(if (rank == 0) clock.incrementAndGet() else 0, Long::plus)
                    }
                }
            differs.step shouldBe 1
            differs.message shouldContain "between two runs on 4 ranks, before any restart."
        }

        test("a program whose results depend on the number of ranks is refused with that reason") {
            val differs =
                differenceOf(trial.withRestartOn(listOf(4, 2))) {
                    var sizes by replicated(0L)
                    for (step in steps(until = 10)) sizes += size
                }
            differs.message shouldContain
                "also differs on 4 and on 2 without any restart: [sizes] differ from step 1 on."
        }

        test("a program that runs fewer steps after a restart is found") {
            val differs =
                differenceOf {
                    var time by replicated(0L)
                    var isFirst = true
                    for (step in steps(until = 10)) {
                        if (isFirst && step > 0) break
                        isFirst = false
                        time++
                    }
                }
            differs.step shouldBe 6
            differs.items shouldContainExactly listOf("the last step")
        }

        test("a program that ends before the break cannot be tried") {
            shouldThrow<IllegalArgumentException> {
                trial.run {
                    var time by replicated(0L)
                    for (step in steps(until = 5)) time++
                }
            }.message shouldBe "the program ends at step 5, so it cannot be interrupted at 5"
        }

        test("a program with a loop of its own is tried, from Kotlin and from Java") {
            trial.runOwnLoop { attempt -> count(attempt, isForgetful = false) }
            shouldThrow<RestartDiffers> {
                trial.runOwnLoop { attempt ->
                    count(attempt, isForgetful = true)
                }
            }.step shouldBe
                6

            trial.run(
                ThrowingBiConsumer<BlockingCommunicator, RestartTrial.Attempt> { ranks, attempt ->
                    var visits = 0L
                    BlockingCheckpoints
                        .open(ranks, attempt.directory, files = attempt.files) {
                            it.replicated("visits", { visits }, { visits = it })
                        }.use { checkpoints ->
                            val first = checkpoints.restore().map { it.step }.orElse(0)
                            for (step in first + 1..10) {
                                visits += step
                                checkpoints.save(step)
                                if (attempt.isOver(step)) break
                            }
                        }
                },
            )
        }
    })

private fun Path.append(text: String) = Files.writeString(this, text, CREATE, APPEND)

private suspend fun Communicator.count(attempt: RestartTrial.Attempt, isForgetful: Boolean) {
    val shape = Shape.of(10)
    val own = Decomposition.rows(shape, size).boxes(rank)
    val counters = LongArray(own.sumOf { it.cellCount() }.toInt())
    var visits = 0L
    val open =
        checkpoints(attempt.directory, files = attempt.files) {
            field("counters", shape, ElementType.LONG) { own.forEach { block(it, counters) } }
            if (!isForgetful) replicated("visits", { visits }, { visits = it })
        }
    open.use { checkpoints ->
        for (step in (checkpoints.restore()?.step ?: 0) + 1..10) {
            visits += step
            counters.indices.forEach { counters[it] += visits }
            checkpoints.save(step)
            if (attempt.isOver(step)) break
        }
    }
}
