package dev.cairn.item

/** In what form the file of an output has the bytes that the program appends. */
internal enum class OutputForm(private val text: String, val words: String) {
    PLAIN("plain", "without gzip()"),
    GZIP("gzip", "with gzip()"),
    ;

    /** Its entry in a manifest's layout of an output. */
    val layout: Map<String, String> get() = mapOf(LAYOUT_FORM to text)

    companion object {
        private const val LAYOUT_FORM = "form"

        /** That in the [layout] of a stored output; null if it is not known, as in older checkpoints. */
        fun of(layout: Map<String, String>): OutputForm? = entries.find { it.text == layout[LAYOUT_FORM] }
    }
}
