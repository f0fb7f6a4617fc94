package dev.cairn.options

/** After which steps a simulation saves. */
internal sealed interface Every {
    data object Never : Every

    /** As often as it costs least, by what saves have taken. */
    data object Auto : Every

    data class Steps(
        val count: Long,
    ) : Every

    companion object {
        private const val NEVER = "never"
        private const val AUTO = "auto"

        fun print(every: Every): String =
            when (every) {
                is Never -> NEVER
                is Auto -> AUTO
                is Steps -> "${every.count}"
            }

        fun parse(text: String): Every =
            when (text) {
                NEVER -> Never
                AUTO -> Auto
                else -> Steps(text.toLong())
            }
    }
}
