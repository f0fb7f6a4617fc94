package dev.cairn.config

import java.nio.file.Path

/**
 * What the command line of a program says.
 *
 * @property file the file of settings that it names
 * @property isHelp whether it asks only which options there are
 */
internal class CommandLine private constructor(
    val file: Path?,
    val isHelp: Boolean,
    private val texts: List<Pair<Setting<*>, String>>,
) {
    fun over(configuration: Configuration): Configuration =
        texts.fold(configuration) { result, (setting, text) -> result.withText(setting, text, Origin.COMMAND_LINE) }

    private fun with(
        word: String,
        rest: Iterator<String>,
        settings: List<Setting<*>>,
    ): CommandLine {
        val option = word.substringBefore('=')
        val setting = settings.find { it.option == option }

        fun value(): String {
            if ('=' in word) return word.substringAfter('=')
            if (setting?.kind?.placeholder == "") return "true"
            require(rest.hasNext()) { "${Origin.COMMAND_LINE}: $option needs a value" }
            return rest.next()
        }
        return when {
            word == HELP -> CommandLine(file, true, texts)
            option == CONFIG -> CommandLine(pathOf(value()), isHelp, texts)
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

        /** Both `--keep-last 3` and `--keep-last=3`. An [IllegalArgumentException] says what is wrong with [words]. */
        fun parse(
            words: List<String>,
            settings: List<Setting<*>>,
        ): CommandLine {
            var line = NONE
            val rest = words.iterator()
            while (rest.hasNext()) line = line.with(rest.next(), rest, settings)
            return line
        }

        private fun unknown(
            option: String,
            settings: List<Setting<*>>,
        ): String {
            val nearest = didYouMean(option, settings.map { it.option } + CONFIG + HELP)
            return "${Origin.COMMAND_LINE}: there is no option '$option'.$nearest $HELP shows those that there are."
        }
    }
}
