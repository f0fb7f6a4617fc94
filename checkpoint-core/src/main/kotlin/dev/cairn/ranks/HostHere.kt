package dev.cairn.ranks

import dev.cairn.comm.plan.RankPlan
import java.net.InetAddress
import java.net.UnknownHostException

/** The plan of [count] ranks of a program that runs in this process, on the machine that it is on. */
internal fun planHere(count: Int): RankPlan = RankPlan.of(count).withHosts { hostHere }

/** The name under which messages and checkpoints have this machine. */
private val hostHere: String by lazy {
    try {
        InetAddress.getLocalHost().hostName
    } catch (_: UnknownHostException) {
        "localhost"
    }
}
