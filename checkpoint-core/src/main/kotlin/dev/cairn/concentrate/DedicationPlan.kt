package dev.cairn.concentrate

import dev.cairn.event.counted
import dev.cairn.event.requireDeclared

/**
 * Which ranks are dedicated, and which of them writes for each of the others, its clients.
 *
 * @property computing the clients of all
 */
internal class DedicationPlan private constructor(private val dedicatedOf: Map<Int, Int>) {
    val computing: Set<Int> get() = dedicatedOf.keys

    /** The dedicated rank of [client]. */
    fun dedicatedOf(client: Int): Int = dedicatedOf.getValue(client)

    fun clientsOf(dedicated: Int): List<Int> = dedicatedOf.filterValues { it == dedicated }.keys.sorted()

    companion object {
        /**
         * A rank is the client of a dedicated rank of its own host, if there is one, and of the one that has the fewest clients so far.
         * A rank that would be dedicated and have no client computes.
         *
         * @param hosts of all ranks
         */
        fun of(hosts: List<String>, rule: Concentrators): DedicationPlan {
            requireDeclared(!rule.areNear) {
                "${rule.setting}: dedicated ranks have no stripes that could be near. Leave out near()"
            }
            var dedicated = rule.among(hosts)
            requireDeclared(dedicated.size < hosts.size) {
                val all = counted(hosts.size, "rank")
                "${rule.setting} dedicates all of $all, and none is left to compute. Start more ranks, or dedicate fewer"
            }
            while (true) {
                val dedicatedOf = assign(hosts, dedicated)
                val used = dedicated.filter { it in dedicatedOf.values }
                if (used.size == dedicated.size) return DedicationPlan(dedicatedOf)
                dedicated = used
            }
        }

        private fun assign(hosts: List<String>, dedicated: List<Int>): Map<Int, Int> {
            val byHost = dedicated.groupBy { hosts[it] }
            val clientCounts = dedicated.associateWith { 0 }.toMutableMap()
            return (hosts.indices - dedicated.toSet()).associateWith { client ->
                val nearest = byHost[hosts[client]] ?: dedicated
                nearest.minBy(clientCounts::getValue).also { clientCounts.merge(it, 1, Int::plus) }
            }
        }
    }
}
