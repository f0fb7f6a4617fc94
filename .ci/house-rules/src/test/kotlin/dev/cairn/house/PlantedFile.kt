@file:JvmSynthetic
@file:Suppress("unused", "RedundantSuspendModifier")

package dev.cairn.house

internal const val NOT_FOR_USERS = 3

/** In a file that Java callers do not see. */
suspend fun forKotlinAlone(count: Int = 1): Int = count
