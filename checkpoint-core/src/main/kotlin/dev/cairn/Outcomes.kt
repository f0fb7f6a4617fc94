package dev.cairn

import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** A checkpoint that was restored: its number, the step and phase at which it was made, and on how many ranks. */
public data class Restored(
    @get:JvmName("number") val number: Int,
    @get:JvmName("step") val step: Long,
    @get:JvmName("rankCount") val rankCount: Int,
    @get:JvmName("phase") val phase: String = "",
) {
    override fun toString(): String = "save $number, step $step of $rankCount ranks"
}

/** A checkpoint that was committed: its number and step, the bytes of state in it, and how long it took. */
public data class Saved(
    @get:JvmName("number") val number: Int,
    @get:JvmName("step") val step: Long,
    @get:JvmName("byteCount") val byteCount: Long,
    @get:JvmSynthetic val time: Duration,
) {
    /** For Java. */
    public fun time(): java.time.Duration = time.toJavaDuration()

    override fun toString(): String = "save $number, step $step: $byteCount bytes in $time"
}
