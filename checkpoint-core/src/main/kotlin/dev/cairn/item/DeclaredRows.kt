package dev.cairn.item

import dev.cairn.event.requireDeclared

/** Refuses a declaration by which the rows of this table would not come back. */
internal fun BoundObjects<*>.requireSound(changes: ColumnChanges) {
    requireDeclared(rowClass.fields.isNotEmpty(), name) {
        "table '$name' has rows of ${rowClass.type.name}, which has no field that is saved: leave out the " +
            "table, or give its rows a field"
    }
    requireDeclared(links.none { it.field == idField }, name) {
        "table '$name' has ids in '$ids', which leads to rows: take a field that has a number of each row"
    }
    val linkFields = links.map { it.field }
    val record =
        rowClass.kinds.find { kind ->
            kind.type.isRecord && kind.fields.any { it in linkFields } && !keepsWhatItGets(kind.type)
        }
    requireDeclared(record == null, name) {
        "the record ${record?.type?.name} leads to rows, and its constructor would get them before they are " +
            "complete: let it do nothing but keep what it gets, or write a class instead"
    }
    for (link in links) {
        val value = changes.value(link.field.name)
        requireDeclared(value == null || value == link.none || value == link.empty, name) {
            "table '$name' gives rows without the column '${link.field.name}' the value '$value' there, but it " +
                "leads to rows: only ${link.none} is possible, which stands for null" +
                (link.empty?.let { ", or $it, for an empty list" } ?: "")
        }
    }
    requireDeclared(isListed || (isOrdered && !isElsewhere), name) {
        "table '$name' has no list, and its rows stay with those that lead to them: leave out its rule for " +
            "another number of ranks, or declare the function that returns the list"
    }
    requireDeclared(!isElsewhere || ids != null, name) {
        "table '$name' has rows elsewhere, and no ids by which to make what stands for them: declare uniqueIds"
    }
    val without = rowClass.kinds.find { idField != null && idField !in it.fields }
    requireDeclared(without == null, name) {
        "table '$name' has ids in '$ids', but ${without?.type?.name} has no such field: let its rows have one"
    }
}

/** All tables have been declared: refuses references to what are no rows, or to places that a rule may change. */
internal fun BoundObjects<*>.requireTargets() {
    val moving = links.find { it.target.ids == null && !it.target.isOrdered }
    requireDeclared(moving == null, name) {
        "the ${moving?.field?.let(rowClass::titleOf)} leads to places in the list of '${moving?.target?.name}', " +
            "whose rows may stand in any order by its rule: declare uniqueIds for them, or leave out the rule"
    }
    requireDeclared(this !in madeBefore(), name) {
        "records of '$name' lead to rows of '$name', directly or by other records, and none of them could be " +
            "made first: write a class instead of one of these records"
    }
    val narrow = links.find { it.target.isElsewhere && !it.type.isAssignableFrom(it.target.rowClass.type) }
    requireDeclared(narrow == null, name) {
        "the ${narrow?.field?.let(rowClass::titleOf)} leads to a ${narrow?.type?.name}, but a row of " +
            "'${narrow?.target?.name}' on another rank may be any ${narrow?.target?.rowClass?.type?.name}: let " +
            "it lead to one of these, or declare a table of their own for the rows to which it leads"
    }
    val parted = links.find { !isOrdered && !it.target.isElsewhere } ?: return
    val needed = if (parted.target.isListed) "uniqueIds and elsewhere" else "a list, uniqueIds and elsewhere"
    throw invalid(
        name,
        "the ${rowClass.titleOf(parted.field)} leads to rows of '${parted.target.name}', which may be on other " +
            "ranks after a restart on another number of ranks: declare $needed for '${parted.target.name}', or " +
            "leave out the rule of '$name'",
    )
}

/** The tables whose rows are made before those of this one, whose records get them. */
private fun BoundObjects<*>.madeBefore(): Set<BoundObjects<*>> {
    val all = LinkedHashSet<BoundObjects<*>>()

    fun add(table: BoundObjects<*>) {
        val links = table.links.filter { it.field.isOfRecord }
        for (target in links.map { it.target }) if (all.add(target)) add(target)
    }
    add(this)
    return all
}
