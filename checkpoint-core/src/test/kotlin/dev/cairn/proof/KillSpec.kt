package dev.cairn.proof

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import kotlin.random.Random

/**
 * Real processes die by SIGKILL, each before an operation on files that is chosen beforehand, or anywhere. What the program
 * then goes on from, on another number of ranks, is predicted from what it has said, and its end is that of a program that
 * was never broken. `-Dcairn.kill.trials=100` kills that often, `-Dcairn.kill.seed=N` repeats a run.
 */
class KillSpec :
    FunSpec({
        val seed = System.getProperty("cairn.kill.seed")?.toLong() ?: Random.nextLong()
        val trials = System.getProperty("cairn.kill.trials")?.toInt() ?: TARGETS.size

        test("$trials programs that were killed go on with other ranks, and end as if nothing had happened") {
            val kills = Kills(tempdir().toPath(), Random(seed))
            for (trial in 0 until trials) {
                val target = TARGETS[trial % TARGETS.size]
                if (target == null) kills.killAnywhere() else kills.killIn(target)
            }
            println("KillSpec, seed $seed: $kills")
            kills.wrong.shouldBeEmpty()
            for (part in Moment.PARTS) kills.at(part) shouldBeGreaterThanOrEqual trials / TARGETS.size
            kills.insideSaves shouldBeGreaterThanOrEqual trials / 2
        }
    })

/** Each part of a save, between two saves, and anywhere. */
private val TARGETS: List<Moment?> = Moment.PARTS + Moment.COMPUTING + null
