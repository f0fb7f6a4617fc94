package dev.cairn.options

import java.nio.file.Path

/**
 * The command line of a program, parsed.
 *
 * @property file the file of settings on it
 * @property isHelp whether it requests only the list of options
 */
internal class CommandLine private constructor(
    val file: Path?,
    val isHelp: Boolean,
    private val texts: List<Pair<Setting<*>, String>>,
) {
    fun over(configuration: Configuration): Configuration =
        texts.fold(configuration) { result, (setting, text) -> result.withText(setting, text, Origin.COMMAND_LINE) }

    private fun with(word: String, rest: Iterator<String>, settings: List<Setting<*>>): CommandLine {
        val option = word.substringBefore('=')
        val setting = settings.find { it.option == option }

        fun value(): String {
            if ('=' in word) return word.substringAfter('=')
            if (setting?.kind?.placeholder == "") return "true"
            require(rest.hasNext()) { "${Origin.COMMAND_LINE}: $option needs a value" }
            val next = rest.next()
            require(!next.startsWith("--")) {
                "${Origin.COMMAND_LINE}: $option needs a value, and $next is another option. If it is meant as the " +
                    "value, say $option=$next."
            }
            return next
        }
        require(setting == null || texts.none { it.first == setting }) { twice(option) }
        require(option != CONFIG || file == null) { twice(option) }
        return when {
            word == HELP -> CommandLine(file, true, texts)
            option == CONFIG -> CommandLine(fileOf(value()), isHelp, texts)
            setting != null -> CommandLine(file, isHelp, texts + (setting to value()))
            else -> throw IllegalArgumentException(unknown(option, settings))
        }
    }

    companion object {
        private const val CONFIG = "--config"
        private const val HELP = "--help"

        val NONE = naming(null)

        /** One that names a [file], or none, and nothing else. */
        fun naming(file: Path?) = CommandLine(file, isHelp = false, emptyList())

        /** Both `--keep-last 3` and `--keep-last=3`. An [IllegalArgumentException] describes the error in [words]. */
        fun parse(words: List<String>, settings: List<Setting<*>>): CommandLine {
            var line = NONE
            val rest = words.iterator()
            while (rest.hasNext()) line = line.with(rest.next(), rest, settings)
            return line
        }

        private fun fileOf(text: String): Path {
            require(text.isNotBlank()) { "${Origin.COMMAND_LINE}: $CONFIG needs a value" }
            return pathOf(text)
        }

        private fun twice(option: String) = "${Origin.COMMAND_LINE}: $option is given twice. Keep one."

        private fun unknown(option: String, settings: List<Setting<*>>): String {
            val nearest = didYouMean(option, settings.map { it.option } + CONFIG + HELP)
            return "${Origin.COMMAND_LINE}: there is no option '$option'.$nearest $HELP lists the existing ones."
        }
    }
}
