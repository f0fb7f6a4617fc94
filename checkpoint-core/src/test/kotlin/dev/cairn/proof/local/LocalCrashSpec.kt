package dev.cairn.proof.local

import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import kotlin.random.Random

/**
 * The power fails at every operation of a program on three hosts that saves to their disks first, what may be lost is lost, and so are
 * hosts with their disks. What the next program restores is a formula of its step. `-Dcairn.seed=N` repeats a run.
 */
class LocalCrashSpec :
    FunSpec({
        quietly()
        val seed = Campaign.seed

        for (program in LocalProgram.entries) {
            test("saves keep what they promise: $program") {
                val crashes = LocalCrashes(Random(seed), seed, program)
                crashes.crashEverywhere()
                println("LocalCrashSpec, seed $seed, $program: $crashes")
                crashes.broken.shouldBeEmpty()
                if (Campaign.CRASH_POINTS.isWhole) crashes.stateCount shouldBeGreaterThan 500
            }
        }

        for (sabotage in LocalSabotage.entries) {
            test("sabotage is seen: $sabotage") {
                val crashes = LocalCrashes(Random(sabotage.foundSoon), seed, sabotage.program, sabotage)
                crashes.crashUntilBroken()
                println("LocalCrashSpec, seed $seed, $sabotage: $crashes")
                crashes.broken.shouldNotBeEmpty()
            }
        }
    })
