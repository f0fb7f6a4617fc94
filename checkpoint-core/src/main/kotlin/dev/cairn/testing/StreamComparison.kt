package dev.cairn.testing

import dev.cairn.reading.StoredCheckpoint
import java.io.InputStream
import java.util.Objects

/** Compares two streams of a [name] whose bytes differ by the values that [read] makes of them, if the program has declared it. */
internal class StreamComparison(private val name: String, private val read: ((InputStream) -> Any?)?) {
    private var incomparable: Class<*>? = null

    /** Whether the values of any rank differ; null if that cannot be told. */
    fun differ(a: StoredCheckpoint, b: StoredCheckpoint): Boolean? {
        if (read == null) return null
        val verdicts = (0 until a.streams(name).rankCount).map { rank -> differ(valueOf(a, rank), valueOf(b, rank)) }
        return if (true !in verdicts && null in verdicts) null else true in verdicts
    }

    private fun valueOf(checkpoint: StoredCheckpoint, rank: Int): Any? =
        checkpoint.streams(name).open(rank).use(checkNotNull(read))

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
                read == null -> "declare it with a StreamCodec, so that its values are compared"
                incomparable != null -> "let ${incomparable?.name} have an equals(), so that its values are compared"
                else -> "use a smaller problem, so that the trial can keep its values and compare them"
            }
        return "the bytes of the stream '$name' differ from step $step on, and equal state may have other bytes: " +
            advice
    }
}
