package dev.cairn.proof.crash

import dev.cairn.house.Campaign.CRASH_OUTCOMES
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.proof.state.Known
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.store.Scene
import dev.cairn.store.outcomes
import java.util.EnumMap
import java.util.TreeMap
import kotlin.random.Random

/** How many states a crash left, by phase and by what was found in them, and in which of them a promise was broken. */
internal class SaveCrashes(
    private val random: Random,
    private val known: Known = Known.SMALL,
    private val mostOutcomes: Int = CRASH_OUTCOMES.count,
) {
    private var crashPoints = 0
    private val found = EnumMap<Phase, TreeMap<String, Int>>(Phase::class.java)
    val broken = TreeMap<String, Int>()

    fun states(phase: Phase) = found[phase]?.values?.sum() ?: 0

    /**
     * Lets the program that [begin] makes live [steps]: once to its end, to number its operations, and then for each that is in
     * one of the [phases], or for some of them, with a power failure there. What is restored from all that the failure may
     * leave must be exactly what is predicted.
     */
    suspend fun crashEverywhere(phases: Set<Phase>, steps: LongRange, begin: suspend () -> SimulatedProgram) {
        for ((operation, phase) in CRASH_POINTS.someOf(operations(phases, steps, begin), random)) {
            crashAt(operation, phase, steps, begin)
        }
    }

    /** The same at any operations, up to the first one that breaks a promise. */
    suspend fun crashUntilBroken(phases: Set<Phase>, steps: LongRange, begin: suspend () -> SimulatedProgram) {
        for ((operation, phase) in operations(phases, steps, begin).shuffled(random)) {
            if (broken.isEmpty()) crashAt(operation, phase, steps, begin)
        }
    }

    private suspend fun operations(
        phases: Set<Phase>,
        steps: LongRange,
        begin: suspend () -> SimulatedProgram,
    ): List<Pair<Long, Phase>> {
        val whole = begin()
        whole.run(steps).results()
        lookAtAll(whole.scene, Phase.RETENTION)
        return whole.watch
            .trace()
            .filterValues { it in phases }
            .toList()
    }

    private suspend fun crashAt(
        operation: Long,
        phase: Phase,
        steps: LongRange,
        begin: suspend () -> SimulatedProgram,
    ) {
        val program = begin()
        program.scene.disk.crashAt(operation)
        program.run(steps)
        check(program.scene.disk.operationCount() == operation - 1) { "operation $operation came in another run only" }
        crashPoints++
        lookAtAll(program.scene, phase)
    }

    private suspend fun lookAtAll(scene: Scene, phase: Phase) {
        val unsynced = scene.disk.unsyncedChanges()
        for (outcome in some(outcomes(scene.disk).toList())) {
            val state = CrashedSave(scene.disk.afterCrash(outcome), scene.promises.after(unsynced, outcome), known)
            found.getOrPut(phase) { TreeMap() }.merge(state.label, 1, Int::plus)
            state
                .brokenPromise(
                    readers = random.nextInt(1, 5),
                    random.nextLong(),
                )?.let { broken.merge(it, 1, Int::plus) }
        }
    }

    /** All of them where they are few; else the two extremes, which come first, and others by chance. */
    private fun some(outcomes: List<CrashOutcome>): List<CrashOutcome> =
        if (outcomes.size <= mostOutcomes) {
            outcomes
        } else {
            outcomes.take(2) + outcomes.drop(2).shuffled(random).take(mostOutcomes - 2)
        }

    override fun toString() =
        "$crashPoints crash points, ${found.values.sumOf { it.values.sum() }} states: $found, broken promises: $broken"
}
