package dev.cairn.testing

import dev.cairn.item.GraphComparison
import dev.cairn.item.GraphDifference
import dev.cairn.item.ItemKind
import dev.cairn.item.ReadBackItem
import dev.cairn.reading.StoredBytes.Streams
import dev.cairn.reading.StoredCheckpoint
import java.util.Objects

/**
 * Compares two streams of a [name] whose bytes differ: by the objects of which they consist, or by the values that [item] makes of them,
 * if the program has declared that and runs here.
 */
internal class StreamComparison(private val name: String, private val kind: ItemKind, private val item: ReadBackItem?) {
    /** The first difference, if the streams are graphs. */
    var inObjects: GraphDifference? = null
        private set

    private var incomparable: Class<*>? = null

    /** Whether the values of any rank differ; null if that cannot be told. */
    fun differ(a: StoredCheckpoint, b: StoredCheckpoint): Boolean? {
        val verdicts = (0 until a.streams(name).rankCount).map { differ(a.streams(name), b.streams(name), it) }
        return if (true !in verdicts && null in verdicts) null else true in verdicts
    }

    private fun differ(mine: Streams, its: Streams, rank: Int): Boolean? {
        val objects = mine.objectsOf(rank)
        if (objects == null) return item?.let { differ(it.read(mine.streamOf(rank)), it.read(its.streamOf(rank))) }
        val one = objects.content() ?: return null
        val other = its.objectsOf(rank)?.content() ?: return null
        val difference = GraphComparison(one, other).firstDifference() ?: return false
        inObjects = inObjects ?: difference
        return true
    }

    private fun differ(mine: Any?, its: Any?): Boolean? {
        if (Objects.deepEquals(mine, its)) return false
        incomparable = withoutEquals(mine) ?: withoutEquals(its)
        return if (incomparable == null) true else null
    }

    /** The class of [value], or of one of its elements, whose objects are equal to themselves alone. */
    private fun withoutEquals(value: Any?): Class<*>? =
        when {
            value == null -> null
            value is Array<*> -> value.firstNotNullOfOrNull(::withoutEquals)
            value is Iterable<*> -> value.firstNotNullOfOrNull(::withoutEquals)
            value is Map<*, *> -> (value.keys + value.values).firstNotNullOfOrNull(::withoutEquals)
            value.javaClass.isArray -> null
            else -> value.javaClass.takeIf { it.getMethod("equals", Any::class.java).declaringClass == Any::class.java }
        }

    /** Why they could not be compared from [step] on. */
    fun warning(step: Long): String {
        val advice =
            when {
                item == null -> kind.adviceOnForms
                incomparable != null -> "let ${incomparable?.name} have an equals(), so that its values are compared"
                else -> "use a smaller problem, so that the trial can keep its values and compare them"
            }
        return "the bytes of the $kind '$name' differ from step $step on, and equal state may have other bytes: " +
            advice
    }
}
