package dev.cairn.proof.kill

import dev.cairn.house.Campaign
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import kotlin.random.Random

/**
 * Real processes die by SIGKILL, each before an operation on files that is chosen beforehand, or anywhere. What the program
 * then goes on from, on another number of ranks, is predicted from what it has said, and its end is that of a program that
 * was never broken. `-Dcairn.seed=N` repeats a run.
 */
class KillSpec :
    FunSpec({
        val seed = Campaign.seed
        val trials = Campaign.KILLS.count

        test("$trials killed programs continue on other ranks, and end as if they had not been killed") {
            val kills = Kills(tempdir().toPath(), Random(seed))
            val targets = TARGETS.shuffled(Random(seed))
            for (trial in 0 until trials) {
                val target = targets[trial % targets.size]
                if (target == null) kills.killAnywhere() else kills.killIn(target)
            }
            println("KillSpec, seed $seed: $kills")
            kills.wrong.shouldBeEmpty()
            for (part in Moment.PARTS) kills.at(part) shouldBeGreaterThanOrEqual trials / TARGETS.size
            kills.insideSaves shouldBeGreaterThanOrEqual trials / 2
        }

        for (way in listOf("behind", "local")) {
            test("programs that save $way are killed anywhere, and go on alike") {
                val kills = Kills(tempdir().toPath(), Random(seed), way)
                repeat(trials / 2) { kills.killAnywhere() }
                println("KillSpec, seed $seed, $way: $kills")
                kills.wrong.shouldBeEmpty()
            }
        }
    })

/** Each part of a save, between two saves, and anywhere. */
private val TARGETS: List<Moment?> = Moment.PARTS + Moment.COMPUTING + null
