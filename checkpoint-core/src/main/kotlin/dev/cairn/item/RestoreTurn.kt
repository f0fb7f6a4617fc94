package dev.cairn.item

/**
 * The turns of a restore, in their order. In each of them items come back in the order in which the program declares them; but the
 * cells of all fields travel together, so that fields have no order among themselves.
 */
internal enum class RestoreTurn(
    /** The name of its items, in the plural. */
    val title: String,
) {
    VALUES("values"),
    STREAMS("streams"),
    FIELDS("fields"),
    TABLES("tables"),
    OUTPUTS("outputs"),
}
