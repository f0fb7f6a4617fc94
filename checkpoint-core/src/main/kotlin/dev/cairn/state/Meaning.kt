package dev.cairn.state

/** The meaning of the cells of a column. */
internal sealed interface Meaning {
    /** The type of the column in the program, if the cells are of [type]. */
    fun of(type: ElementType): String =
        when (this) {
            is Number -> "$type"
            is Constants -> "the constants ${constants.joinToString()}"
            is TextPart -> "texts of at most $atMost bytes"
            is ListChecksum -> "checksums of lists"
        }

    /** Themselves. */
    object Number : Meaning {
        override fun toString(): String = ""
    }

    /** Constants of an enum, by their places in [constants]. */
    data class Constants(val constants: List<String>) : Meaning {
        override fun toString(): String = " of ${constants.joinToString()}"
    }

    /**
     * Eight bytes of each text of [column], the first of them lowest: those from 8 · [part] on. Behind its end a text is filled up
     * with zeros; it has at most [atMost] bytes.
     */
    data class TextPart(val column: String, val part: Int, val atMost: Int) : Meaning {
        /** The column that all parts of a text have in common. */
        val storedSize: Int get() = (atMost + Long.SIZE_BYTES - 1) / Long.SIZE_BYTES * Long.SIZE_BYTES

        override fun toString(): String = " of text of at most $atMost bytes"
    }

    /** Checksums of the lists of rows whose sizes are in [column]; 0 where that is not known, or for null. */
    data class ListChecksum(val column: String) : Meaning {
        override fun toString(): String = " of the lists of $column"
    }
}
