package dev.cairn.checkpoint

import dev.cairn.state.Meaning
import dev.cairn.store.ManifestColumn
import dev.cairn.store.ManifestItem

/** The meaning of the cells of a stored column. */
internal fun meaningOf(column: ManifestColumn): Meaning {
    val text = column.text
    return when {
        text != null -> Meaning.TextPart(text.column, text.part, text.atMost)
        column.listsOf != null -> Meaning.ListChecksum(column.listsOf)
        column.constants.isNotEmpty() -> Meaning.Constants(column.constants)
        else -> Meaning.Number
    }
}

/** The columns of a table in words: those that hold parts of one text are one column. */
internal fun ManifestItem.describedColumns(): String =
    columns.filter { it.isFirst }.joinToString { column ->
        val type = if (column.text == null) column.elementType else "text"
        val meaning = meaningOf(column)
        "${column.title} $type" + if (meaning is Meaning.TextPart) " of ${meaning.atMost} bytes" else "$meaning"
    }
