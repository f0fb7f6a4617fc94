package dev.cairn.sion.log

import dev.cairn.sion.store.fixture.pattern
import kotlin.random.Random

/** One call of a writer. */
internal sealed interface LogStep {
    data class Put(
        val isCollective: Boolean,
        val region: Region,
        val payload: ByteArray,
    ) : LogStep

    data object EndCollective : LogStep

    data class Cancel(
        val sequence: Long,
    ) : LogStep

    data class Barrier(
        val epoch: Long,
    ) : LogStep

    data class Note(
        val text: String,
    ) : LogStep

    data object Seal : LogStep
}

/** A step of each kind, in a log that is sealed. */
internal val EVERY_KIND: List<LogStep> =
    listOf(
        put(Region.ofExtent(0, 4096, 5)),
        LogStep.Note("step 1: größer"),
        put(boxes(), isCollective = true),
        LogStep.EndCollective,
        LogStep.Cancel(1),
        LogStep.EndCollective,
        LogStep.Barrier(7),
        put(Region(2, 16, listOf(StridedBox.of(longArrayOf(), longArrayOf())))),
        LogStep.Note(""),
        LogStep.Seal,
    )

/** Two boxes of two dimensions, one of which leaves out every other column. */
private fun boxes() =
    Region(
        1,
        8,
        listOf(
            StridedBox.of(longArrayOf(0, 4), longArrayOf(2, 3)),
            StridedBox.of(longArrayOf(2, 0), longArrayOf(1, 2), longArrayOf(1, 2)),
        ),
    )

internal fun put(
    region: Region,
    isCollective: Boolean = false,
): LogStep.Put = LogStep.Put(isCollective, region, pattern(region.variable(), region.byteCount().toInt()))

/** A program of [count] steps that a writer accepts, and a seal if chance has it. */
internal fun randomSteps(
    random: Random,
    count: Int,
): List<LogStep> {
    val steps = ArrayList<LogStep>()
    var inCollective = false
    repeat(count) {
        val step = randomStep(random, steps.size, inCollective)
        inCollective = if (step is LogStep.Put) step.isCollective else inCollective && step != LogStep.EndCollective
        steps += step
    }
    if (inCollective) steps += LogStep.EndCollective
    if (random.nextBoolean()) steps += LogStep.Seal
    return steps
}

private fun randomStep(
    random: Random,
    before: Int,
    inCollective: Boolean,
): LogStep =
    when (random.nextInt(10)) {
        0 -> LogStep.EndCollective
        1 -> if (before > 0) LogStep.Cancel(random.nextLong(1, before + 1L)) else LogStep.Note("nothing to cancel")
        2 -> if (inCollective) LogStep.EndCollective else LogStep.Barrier(before.toLong())
        3 -> LogStep.Note("x".repeat(random.nextInt(20)))
        4, 5 -> put(randomRegion(random), isCollective = true)
        else -> put(randomRegion(random), inCollective)
    }

private fun randomRegion(random: Random): Region {
    val dimensions = random.nextInt(4)
    val boxes =
        List(if (dimensions == 0) 1 else random.nextInt(1, 4)) {
            StridedBox.of(
                LongArray(dimensions) { random.nextLong(1L shl 40) },
                LongArray(dimensions) { random.nextLong(1, 4) },
                LongArray(dimensions) { random.nextLong(1, 100) },
            )
        }
    return Region(random.nextInt(5), random.nextInt(1, 9), boxes)
}
