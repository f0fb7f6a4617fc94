package dev.cairn.proof.crash

import dev.cairn.concentrate.Concentrators
import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.CRASHING_PROGRAMS
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.sion.Grouping
import dev.cairn.store.KilledProgram
import dev.cairn.store.Scene
import dev.cairn.store.outcomes
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import kotlin.random.Random

/**
 * The power fails at every operation of parallel programs that save and restore, and everything is lost that may be lost.
 * What the next program then restores, on another number of ranks, is predicted, and is a formula of its step.
 * `-Dcairn.seed=N` repeats a run.
 */
class SaveCrashSpec :
    FunSpec({
        quietly()
        val seed = Campaign.seed

        fun campaign(
            name: String,
            least: Map<Phase, Int>,
            known: Known = Known.SMALL,
            crash: suspend SaveCrashes.() -> Unit,
        ) = test(name) {
            val crashes = SaveCrashes(Random(seed), known)
            crashes.crash()
            println("SaveCrashSpec, seed $seed, $name: $crashes")
            crashes.broken.shouldBeEmpty()
            Phase.entries.sumOf(crashes::states) shouldBeGreaterThanOrEqual 1
            // A sample of the operations may leave a phase out.
            if (CRASH_POINTS.isWhole) {
                least.forEach { (phase, states) ->
                    crashes.states(phase) shouldBeGreaterThanOrEqual
                        states
                }
            }
        }

        campaign("three saves, of which two are kept", mapOf(Phase.DATA to 500)) {
            crashEverywhere(Phase.entries.toSet(), steps = 1L..3L) { SimulatedProgram(Scene(), seed) }
        }

        campaign("two saves of groups, of which one rank writes for all", mapOf(Phase.DATA to 150)) {
            crashEverywhere(setOf(Phase.DATA, Phase.COMMIT), steps = 1L..2L) {
                SimulatedProgram(
                    Scene(),
                    seed,
                    rankCount = 4,
                    options =
                        CheckpointOptions(SMALL_OPTIONS) {
                            grouping =
                                Grouping.few()
                        },
                )
            }
        }

        campaign("two saves into one file", mapOf(Phase.DATA to 100)) {
            crashEverywhere(setOf(Phase.DATA, Phase.COMMIT), steps = 1L..2L) {
                SimulatedProgram(Scene(), seed, options = CheckpointOptions(SMALL_OPTIONS) { files = DataFiles.one() })
            }
        }

        campaign("two saves of a field through a concentrator", mapOf(Phase.DATA to 150)) {
            crashEverywhere(setOf(Phase.DATA, Phase.COMMIT), steps = 1L..2L) {
                SimulatedProgram(
                    Scene(),
                    seed,
                    options =
                        CheckpointOptions(SMALL_OPTIONS) {
                            concentrators =
                                Concentrators.ranks(1)
                        },
                )
            }
        }

        campaign("rows, sums, streams and an output in two saves", mapOf(Phase.DATA to 200), Known.DUST) {
            crashEverywhere(
                Phase.entries.toSet(),
                steps = 1L..2L,
            ) { SimulatedProgram(Scene(), seed, known = Known.DUST) }
        }

        campaign("three saves in the background", mapOf(Phase.DATA to 500)) {
            crashEverywhere(
                Phase.entries.toSet(),
                steps = 1L..3L,
            ) { SimulatedProgram(Scene(), seed, wait = Wait.COPIED) }
        }

        campaign("groups, rows, streams and an output behind its back", mapOf(Phase.DATA to 150), Known.DUST) {
            crashEverywhere(Phase.entries.toSet(), steps = 1L..2L) {
                SimulatedProgram(
                    Scene(),
                    seed,
                    rankCount = 4,
                    known = Known.DUST,
                    options = CheckpointOptions(SMALL_OPTIONS) { grouping = Grouping.few() },
                    wait = Wait.COPIED,
                )
            }
        }

        campaign("commits and retention of many programs", mapOf(Phase.COMMIT to 500, Phase.RETENTION to 500)) {
            for (rankCount in CRASHING_PROGRAMS.someOf((1..10).toList())) {
                crashEverywhere(
                    setOf(Phase.COMMIT, Phase.RETENTION),
                    steps = 1L..3L,
                ) { SimulatedProgram(Scene(), seed + rankCount, rankCount) }
            }
        }

        for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
            campaign("saves that expire while the next ones are written, $wait", mapOf(Phase.RETENTION to 300)) {
                for (rankCount in CRASHING_PROGRAMS.someOf((1..4).toList())) {
                    crashEverywhere(
                        setOf(Phase.RETENTION),
                        steps = 1L..6L,
                    ) { SimulatedProgram(Scene(), seed + rankCount, rankCount, wait = wait) }
                }
            }
        }

        campaign("a program is killed, and another one on fewer ranks takes over", mapOf(Phase.TAKEOVER to 500)) {
            for (death in deaths(seed)) {
                crashEverywhere(setOf(Phase.TAKEOVER), steps = 5L..5L) { killed(death, seed).successor(seed) }
            }
        }

        campaign("the power fails, and another program on fewer ranks takes over", mapOf(Phase.TAKEOVER to 500)) {
            for (death in deaths(seed)) {
                crashEverywhere(setOf(Phase.TAKEOVER), steps = 5L..5L) { crashed(death, seed).successor(seed) }
            }
        }
    })

/** The operations at which the first program ends: in every part of its run, different ones each time. */
private suspend fun deaths(seed: Long): List<Int> {
    val program = SimulatedProgram(Scene(), seed)
    program.run(BEFORE_TAKEOVER).results()
    val last = program.watch.trace().size
    return CRASHING_PROGRAMS.someOf((Random(seed).nextInt(1, DEATH_DISTANCE)..last step DEATH_DISTANCE).toList())
}

/** The first save expires while the last one is written. */
private val BEFORE_TAKEOVER = 1L..4L
private const val DEATH_DISTANCE = 35

/** The processes of all ranks end, and what they have written stays in the memory of their hosts. */
private suspend fun killed(death: Int, seed: Long): Scene {
    val scene = Scene()
    val process = KilledProgram(death)
    process.isKilledIn { SimulatedProgram(scene, seed) { _, store -> process.storeOn(store) }.run(BEFORE_TAKEOVER) }
    return scene
}

/** Anything that is not durable may be gone. */
private suspend fun crashed(death: Int, seed: Long): Scene {
    val scene = Scene()
    scene.disk.crashAt(scene.disk.operationCount() + death)
    SimulatedProgram(scene, seed).run(BEFORE_TAKEOVER)
    val outcome = outcomes(scene.disk).random(Random(seed + death))
    return Scene(scene.disk.afterCrash(outcome), scene.promises.after(scene.disk.unsyncedChanges(), outcome))
}

private fun Scene.successor(seed: Long) = SimulatedProgram(this, seed, rankCount = 2, first = Phase.TAKEOVER)
