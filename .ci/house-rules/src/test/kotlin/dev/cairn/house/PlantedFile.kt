@file:JvmSynthetic
@file:Suppress("unused", "RedundantSuspendModifier")

package dev.cairn.house

/** In a file that Java callers do not see. */
suspend fun forKotlinAlone(count: Int = 1): Int = count
