@file:Suppress(
    "unused",
    "UNUSED_PARAMETER",
    "RedundantSuspendModifier",
    "NOTHING_TO_INLINE",
    "ktlint:standard:max-line-length",
)

package dev.cairn.house

internal class SomethingInternal

class HalfHidden {
    internal fun hidden() = 1

    fun shown() = hidden()
}

class Shown(private val count: Int = 1) {
    fun plain(): Int = count

    suspend fun waits(each: suspend (Int) -> Unit, until: Long = 1): String? =
        if (until > 0) null else each(count).toString()

    inline fun <reified T : Any> typed(value: T?): List<T> = listOfNotNull(value)

    @get:JvmSynthetic
    @set:JvmSynthetic
    var String.width: Int
        get() = count + this.count()
        set(value) = check(value > count)

    companion object {
        const val OFFERED = 1
        private const val KEPT = 2
        val unseen get() = KEPT
    }
}

class Before {
    fun <T> change(value: List<T>): Any = value
}

class Same {
    fun <T> change(value: List<T>): Any = value.reversed()
}

class Suspends {
    suspend fun <T> change(value: List<T>): Any = value
}

class HasDefault {
    fun <T> change(value: List<T> = emptyList()): Any = value
}

class Renamed {
    fun <T> change(values: List<T>): Any = values
}

class TakesNull {
    fun <T> change(value: List<T>?): Any = value.orEmpty()
}

class GivesNull {
    fun <T> change(value: List<T>): Any? = value.firstOrNull()
}

class Reified {
    inline fun <reified T> change(value: List<T>): Any = value
}

public data class DataFace(val part: Part) {
    public data class Part(val size: Int)
}

public data object ObjectFace

public class PlainFace(public val size: Int)

internal data class OwnData(val size: Int)
