package dev.cairn.benchmarks.payload

import java.io.Serializable
import kotlin.random.Random

/** An object with ten references. */
internal class Agent : Serializable {
    var id = 0
    var x = 0.0
    var y = 0.0
    private var first: Agent? = null
    private var second: Agent? = null
    private var third: Agent? = null
    private var fourth: Agent? = null
    private var fifth: Agent? = null
    private var sixth: Agent? = null
    private var seventh: Agent? = null
    private var eighth: Agent? = null
    private var ninth: Agent? = null
    private var tenth: Agent? = null

    private fun meet(some: () -> Agent) {
        first = some()
        second = some()
        third = some()
        fourth = some()
        fifth = some()
        sixth = some()
        seventh = some()
        eighth = some()
        ninth = some()
        tenth = some()
    }

    /** What it holds, and some of whom it knows. */
    private fun sum(): Long = id + x.toRawBits() + 3L * (first?.id ?: 0) + 5L * (tenth?.id ?: 0)

    companion object {
        private const val serialVersionUID = 1L

        /** Each knows agents that stand before it, so that libraries that recurse need no deep stack. */
        fun some(count: Int): Array<Agent> {
            val random = Random(1)
            val agents = Array(count) { Agent() }
            for ((index, agent) in agents.withIndex()) {
                agent.id = index
                agent.x = random.nextDouble()
                agent.y = random.nextDouble()
                agent.meet { agents[random.nextInt(index + 1)] }
            }
            return agents
        }

        fun sumOf(agents: Array<Agent>): Long = agents.fold(0L) { sum, agent -> sum * 31 + agent.sum() }
    }
}
