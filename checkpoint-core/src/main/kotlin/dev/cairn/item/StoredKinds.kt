package dev.cairn.item

import dev.cairn.store.ManifestItem

/**
 * The kinds of the rows in the table [stored]. Rows of a kind without a field have no value there, and nothing in a column shows that. So
 * the layout says which fields each kind had, and those that the program still has must be fields of the same kinds.
 */
internal class StoredKinds(private val stored: ManifestItem) {
    private val columns = stored.columns.map { it.title }.toSet()

    private val fields =
        stored.layout
            .filterKeys { it.startsWith(LAYOUT_KIND) }
            .map { (kind, names) -> kind.removePrefix(LAYOUT_KIND) to names.split(RowClass.NAME_END).toSet() }
            .toMap()

    /**
     * Refuses other fields of the kinds of [today] than then, but those that were added to the table or removed from it. If there were no
     * kinds then, all rows are of the one that the program gives them.
     */
    fun requireFit(today: RowClass<*>, changes: ColumnChanges) {
        if (today.kindColumn == null) return requireNone()
        val kinds = fields.ifEmpty { mapOf((changes.constant(RowClass.KIND) ?: throw unnamed(today)) to columns) }
        for (field in today.fields) {
            val then = (listOf(field.name) + changes.formerNames(field.name)).find { it in columns } ?: continue
            for (kind in today.kinds) {
                val had = then in (kinds[kind.name] ?: continue)
                if (had != field in kind.fields) throw moved(kind, field.name, then, had)
            }
        }
    }

    private fun requireNone() {
        if (fields.isEmpty()) return
        throw differs(
            "have kinds in the checkpoint, ${fields.keys.joinToString()}, and none in the program: declare each of " +
                "them by kind()",
        )
    }

    private fun unnamed(today: RowClass<*>) =
        differs(
            "have no kinds in the checkpoint, and some in the program: say of which kind the rows from there are, " +
                "such as added(\"${RowClass.KIND}\", \"${today.kinds.first().name}\")",
        )

    private fun moved(kind: RowKind, field: String, then: String, had: Boolean) =
        differs(
            "of the kind '${kind.name}' have ${if (had) "a" else "no"} field '$then' in the checkpoint, and " +
                "${if (had) "none" else "a field '$field'"} in the program: let each kind have the fields that it " +
                "had, or give the field another name, with added(), and declare removed(\"$then\")",
        )

    private fun differs(difference: String) = notFitting(stored.name, "the rows of '${stored.name}' $difference")
}
