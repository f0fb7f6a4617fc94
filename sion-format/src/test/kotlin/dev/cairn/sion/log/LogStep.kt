package dev.cairn.sion.log

import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.stripe.Hyperslab
import kotlin.random.Random

/** One call of a writer. */
internal sealed interface LogStep {
    data class Put(val region: Region, val payload: ByteArray) : LogStep

    data class Note(val text: String) : LogStep
}

/** Both kinds of records, with and without payload, dimensions and strides. */
internal val EVERY_KIND: List<LogStep> =
    listOf(
        put(extent(0, 4096, 5)),
        LogStep.Note("step 1: größer"),
        put(boxes()),
        LogStep.Note("x"),
        put(extent(0, 0, 64)),
        put(extent(3, 17, 8)),
        LogStep.Note("step 2"),
        put(Region(2, 16, listOf(Hyperslab.of(longArrayOf(), longArrayOf())))),
        LogStep.Note(""),
        put(extent(0, 4101, 3)),
    )

/** The [length] bytes of the logical file [file] from [offset] on. */
internal fun extent(file: Int, offset: Long, length: Long) =
    Region(file, 1, listOf(Hyperslab.of(longArrayOf(offset), longArrayOf(length))))

/** Two boxes of two dimensions, one of which leaves out every other column. */
private fun boxes() =
    Region(
        1,
        8,
        listOf(
            Hyperslab.of(longArrayOf(0, 4), longArrayOf(2, 3)),
            Hyperslab.of(longArrayOf(2, 0), longArrayOf(1, 2), longArrayOf(1, 2)),
        ),
    )

internal fun put(region: Region): LogStep.Put =
    LogStep.Put(region, pattern(region.variable(), region.byteCount().toInt()))

/** A program of [count] steps. */
internal fun randomSteps(random: Random, count: Int): List<LogStep> =
    List(count) {
        if (random.nextInt(4) == 0) LogStep.Note("x".repeat(random.nextInt(20))) else put(randomRegion(random))
    }

private fun randomRegion(random: Random): Region {
    val dimensions = random.nextInt(4)
    val boxes =
        List(if (dimensions == 0) 1 else random.nextInt(1, 4)) {
            Hyperslab.of(
                LongArray(dimensions) { random.nextLong(1L shl 40) },
                LongArray(dimensions) { random.nextLong(1, 4) },
                LongArray(dimensions) { random.nextLong(1, 100) },
            )
        }
    return Region(random.nextInt(5), random.nextInt(1, 9), boxes)
}
