package dev.cairn.ranks

import dev.cairn.comm.plan.RankPlan
import dev.cairn.disk.machineName

/** The plan of [count] ranks of a program that runs in this process, on the machine that it is on. */
internal fun planHere(count: Int): RankPlan = RankPlan.of(count).withHosts { machineName ?: "localhost" }
