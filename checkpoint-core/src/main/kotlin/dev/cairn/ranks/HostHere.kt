package dev.cairn.ranks

import dev.cairn.base.machineName
import dev.cairn.comm.RankPlan

/** The plan of [count] ranks of a program that runs in this process, on the machine that it is on. */
internal fun planHere(count: Int): RankPlan = RankPlan(count).withHosts { machineName ?: "localhost" }
