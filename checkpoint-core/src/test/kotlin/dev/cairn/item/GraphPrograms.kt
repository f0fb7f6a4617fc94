package dev.cairn.item

import dev.cairn.event.CheckpointException
import io.kotest.assertions.throwables.shouldThrow
import java.nio.file.Path
import java.util.Random

internal class Agent(val name: String) {
    val friends = ArrayList<Agent>()
    var partner: Agent? = null
    val chance = Random(3)
}

internal class Colony(vararg names: String) {
    val agents = names.mapTo(ArrayList()) { Agent(it) }
    val listeners = ArrayList<Any>()
    val settings = HashMap<String, Any>()
    var grid = DoubleArray(4)

    init {
        for (agent in agents) agent.friends += agents
    }

    companion object {
        var leader: Agent? = null
        var present: Colony? = null
    }
}

internal val GRAPHS = Path.of("graphs")

internal class Program(names: String = "anna") {
    var model: Colony? = Colony(names, "ben")
    var second: Colony? = null
}

/** What the first [T] says that [action] throws, or that is a cause of it. */
internal inline fun <reified T : CheckpointException> refusing(action: () -> Unit): String =
    generateSequence<Throwable>(shouldThrow<CheckpointException>(action)) { it.cause }
        .firstNotNullOf { it as? T }
        .message
        .toString()
