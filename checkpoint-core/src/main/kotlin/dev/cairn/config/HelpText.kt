package dev.cairn.config

/** The options of the program [name], whose own settings are in [program]. */
internal fun helpText(
    name: String,
    program: Configuration,
): List<String> {
    val values = program.values()
    val options =
        program.settings.zip(values) { setting, value ->
            setting.usage to
                "${setting.meaning} (${value.value})"
        }
    val others = listOf("--config FILE" to "the file of settings to read", "--help" to "prints this")
    val width = (options + others).maxOf { it.first.length }
    return listOf("Usage: $name [OPTION]...", "") +
        (options + others).map { (usage, meaning) -> "  ${usage.padEnd(width)}  $meaning" } +
        listOf(
            "",
            "In brackets: what holds if nothing is said. A file, '${Surroundings.STANDARD}' unless named, says the same by lines",
            "such as 'keep-last = 3', and the environment by ${Setting.VARIABLES}KEEP_LAST=3; the command line wins over both.",
        )
}
