package dev.cairn.ranks

import dev.cairn.event.TransportMissingException
import java.util.ServiceLoader

/**
 * The choice among several transports, with its reason: the one that the system property `cairn.transport` names, or the first one
 * without an obstacle.
 */
internal class TransportChoice private constructor(val provider: TransportProvider, private val reason: String) {
    /** For the log: the chosen transport, its own description, and the reason. */
    fun sentence(opened: Transport): String =
        "Messages between processes go through ${provider.name} ($opened): $reason."

    companion object {
        private const val PROPERTY = "cairn.transport"

        fun ofThisProcess(): TransportChoice =
            of(ServiceLoader.load(TransportProvider::class.java).toList(), System.getProperty(PROPERTY))

        fun of(providers: List<TransportProvider>, wanted: String?): TransportChoice =
            if (wanted == null) firstUsable(providers) else named(wanted, providers)

        private fun named(wanted: String, providers: List<TransportProvider>): TransportChoice {
            val provider =
                providers.find { it.name == wanted } ?: throw TransportMissingException(
                    "-D$PROPERTY=$wanted: this program's class path has no such transport" +
                        if (providers.isEmpty()) {
                            ". $ADD_ONE"
                        } else {
                            ", but ${providers.joinToString(
                                " and ",
                            ) { it.name }}."
                        },
                )
            provider.obstacle?.let { throw TransportMissingException("-D$PROPERTY=$wanted cannot be used: $it.") }
            return TransportChoice(provider, "-D$PROPERTY names it")
        }

        private fun firstUsable(providers: List<TransportProvider>): TransportChoice {
            val obstacles = providers.map { it.obstacle }
            val first = obstacles.indexOf(null)
            if (first < 0) throw TransportMissingException(noneOf(providers, obstacles))
            val passedOver = (0 until first).map { "${providers[it].name} is not usable, since ${obstacles[it]}" }
            return TransportChoice(
                providers[first],
                passedOver.ifEmpty { listOf("it is the first that can be used here") }.joinToString("; "),
            )
        }

        private fun noneOf(providers: List<TransportProvider>, obstacles: List<String?>): String {
            val tried = providers.indices.joinToString("") { " ${providers[it].name}: ${obstacles[it]}." }
            return "There is no transport for messages to the other processes.$tried" +
                if (providers.isEmpty()) " $ADD_ONE" else ""
        }

        private const val ADD_ONE = "Put Cairn's mpi module on the class path."
    }
}
