package dev.cairn.ranks

import dev.cairn.base.machineName

/** The plan of [count] ranks in this process, on its machine. */
internal fun planHere(count: Int): RankPlan = RankPlan(count).withHosts { machineName ?: "localhost" }
