package dev.cairn.proof.local

import dev.cairn.house.Campaign
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.sion.Grouping
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

        for (wait in listOf(Wait.LOCAL, Wait.COPIED)) {
            test("saves that wait until they are $wait keep what they promise") {
                val grouping = if (wait == Wait.LOCAL) Grouping.none() else Grouping.few()
                val crashes = LocalCrashes(Random(seed), seed, wait, grouping)
                crashes.crashEverywhere()
                println("LocalCrashSpec, seed $seed, $wait: $crashes")
                crashes.broken.shouldBeEmpty()
                if (Campaign.CRASH_POINTS.isWhole) crashes.stateCount shouldBeGreaterThan 2000
            }
        }

        for (sabotage in LocalSabotage.entries) {
            test("sabotage is seen: $sabotage") {
                val crashes = LocalCrashes(Random(seed), seed, Wait.LOCAL, Grouping.none(), sabotage)
                crashes.crashUntilBroken()
                println("LocalCrashSpec, seed $seed, $sabotage: $crashes")
                crashes.broken.shouldNotBeEmpty()
            }
        }
    })
