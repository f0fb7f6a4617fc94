package dev.cairn

import java.nio.file.Path

/** What the command line of a simulation says. */
internal data class SimulationArguments(
    val directory: Path,
    val rankCount: Int,
    val triggers: Triggers,
) {
    private fun with(
        option: String,
        rest: Iterator<String>,
    ): SimulationArguments {
        fun <T : Any> value(convert: String.() -> T?): T {
            require(rest.hasNext()) { "$option needs a value" }
            val text = rest.next()
            return requireNotNull(text.convert()) { "$option cannot be '$text'" }
        }
        return when (option) {
            "--ranks" -> copy(rankCount = value { toIntOrNull()?.takeIf { it > 0 } })
            "--dir" -> copy(directory = value { Path.of(this) })
            "--every" -> with(triggers.copy(everySteps = value { toLongOrNull()?.takeIf { it > 0 } }))
            "--every-seconds" -> with(triggers.copy(everySeconds = value { toDoubleOrNull()?.takeIf { it > 0 } }))
            "--fresh" -> with(triggers.copy(fresh = true))
            else -> throw IllegalArgumentException("there is no option '$option': use $OPTIONS")
        }
    }

    private fun with(triggers: Triggers) = copy(triggers = triggers)

    companion object {
        private const val OPTIONS = "--ranks, --dir, --every, --every-seconds or --fresh"

        /** The arguments of the program [name]; an [IllegalArgumentException] says what is wrong with them. */
        fun parse(
            name: String,
            args: Array<String>,
        ): SimulationArguments {
            var parsed = SimulationArguments(Path.of("$name.cairn"), 1, Triggers())
            val rest = args.iterator()
            while (rest.hasNext()) parsed = parsed.with(rest.next(), rest)
            return parsed
        }
    }
}
