package dev.cairn.options

/** The options of the program [name], whose own settings are in [program]. */
internal fun helpText(name: String, program: Configuration): List<String> {
    val values = program.values()
    val options =
        program.settings.zip(values) { setting, value ->
            setting.usage to
                "${setting.meaning} (${value.value})"
        }
    val others = listOf("--config FILE" to "the file of settings to read", "--help" to "prints this")
    val width = (options + others).maxOf { it.first.length }
    val indent = width + 2 * GAP.length
    return listOf("Usage: $name [OPTION]...", "") +
        (options + others).flatMap { (usage, meaning) ->
            val lines = wrapped(meaning, HELP_WIDTH - indent)
            listOf(GAP + usage.padEnd(width) + GAP + lines.first()) + lines.drop(1).map { " ".repeat(indent) + it }
        } + "" +
        wrapped(
            "The value in brackets is the default. Settings are also read from the file " +
                "'${SettingsSources.STANDARD}', or the one that --config names, which has lines such as " +
                "'keep-last = 3', and from the environment, such as ${Setting.VARIABLES}KEEP_LAST=3. " +
                "The environment wins over the file, and the command line over both.",
            HELP_WIDTH,
        )
}

/** The words of [text] in lines of at most [width] characters; a longer word has a line of its own. */
private fun wrapped(text: String, width: Int): List<String> =
    text.split(' ').fold(listOf("")) { lines, word ->
        val last = lines.last()
        when {
            last.isEmpty() -> lines.dropLast(1) + word
            last.length + 1 + word.length <= width -> lines.dropLast(1) + "$last $word"
            else -> lines + word
        }
    }

private const val HELP_WIDTH = 80
private const val GAP = "  "
