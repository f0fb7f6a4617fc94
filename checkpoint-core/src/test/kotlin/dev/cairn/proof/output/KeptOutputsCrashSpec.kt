package dev.cairn.proof.output

import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.CRASH_OUTCOMES
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.random.Random

/** Power failures while outputs are kept for saves that were passed over, taken back, and deleted after these saves. */
class KeptOutputsCrashSpec :
    FunSpec({
        quietly()

        test("whenever the power fails, each save that is left finds its lines, whatever comes next") {
            val whole = prepared()
            val points = CrashPoints(whole)
            KeptCourse(points.door()).run {
                branches()
                withClue("without failures no kept file is left") { outputs.keys shouldBe setOf("") }
            }
            var states = 0
            for (operation in CRASH_POINTS.someOf(points.near.toList())) {
                val disk = prepared()
                disk.crashAt(operation)
                val course = KeptCourse(disk.host("node0"))
                // The last ones may be after its end.
                runCatching { course.branches() }
                for (outcome in disk.crashOutcomes().take(CRASH_OUTCOMES.limit(MOST_OUTCOMES))) {
                    val (name, next) = NEXT[states++ % NEXT.size]
                    withClue("operation $operation, $outcome, then $name") {
                        course.on(disk.afterCrash(outcome).host("node0")).run {
                            next()
                            requireAll(Random(operation))
                        }
                    }
                }
            }
            println("KeptOutputsCrashSpec: $states states")
        }

        test("whichever saves are restored, made, pinned and deleted, and wherever the power fails, no line is lost") {
            val walks = Campaign.SEEDS.limit(MOST_SEEDS) / 5
            var deleted = 0
            for (seed in Campaign.seed until Campaign.seed + walks) {
                withClue("seed $seed") { deleted += KeptWalk(Random(seed)).apply { go() }.deleted }
            }
            println("KeptOutputsCrashSpec: $walks walks from seed ${Campaign.seed}, $deleted kept files deleted")
            deleted shouldBeGreaterThan 0
        }
    })

private const val MOST_SEEDS = 5_000

private const val MOST_OUTCOMES = 6

/** What the user does first after a power failure. */
private val NEXT =
    listOf<Pair<String, suspend KeptCourse.() -> Unit>>(
        "nothing" to {},
        "cairn rm" to { numbers.drop(1).reversed().forEach { rm(it) } },
        "an older save" to { start("n", saves = 2) { from = numbers.min() } },
        "a fresh run" to { start("f", saves = 2) { fresh = true } },
    )

private suspend fun prepared() =
    SimulatedDisk().withParent().also { KeptCourse(it.host("node0")).start("a", saves = 3) }

/**
 * Goes on from save 1, and leaves nothing that the kept file does not have; goes back to save 3, whose file holds that, to save 1,
 * which relies on that file, too, and to save 2, from which retention deletes all that was there before.
 */
private suspend fun KeptCourse.branches() {
    for (number in 1..3) saved[number] = (1..number).joinToString("") { "a$it\n" }
    start("a", unsaved = "a2") { from = 1 }
    start("a") { from = 3 }
    start("b", saves = 1) { from = 1 }
    start("c", saves = 4) {
        from = 2
        keepLast = 2
    }
}

/** The operations on files of the output and their records, and those just after them, by their numbers on [disk]. */
private class CrashPoints(private val disk: SimulatedDisk) {
    val near = sortedSetOf<Long>()

    fun door(): BlockStore =
        object : ForwardingStore(disk.host("node0")) {
            override fun onOperation(operation: BlockStore.Operation) {
                val name = operation.path().name
                val isOutput = name.startsWith(KeptCourse.LOG.name) && !name.endsWith(".lock")
                if (isOutput || name.startsWith(RECORDS)) near += (0L..AFTER).map { disk.operationCount() + it }
            }
        }

    private companion object {
        const val RECORDS = SaveNames.KEPT_OUTPUTS
        const val AFTER = 3
    }
}
