package dev.cairn.heap

/** What a program leaves out of the comparison: fields as `Class.field`, classes, and packages with all below them. */
internal class Ignored(private val entries: Set<String>) {
    fun leavesOut(type: HeapClass): Boolean =
        type.lineage.any { it.name in entries || it.shortName in entries } || packagesOf(type).any { it in entries }

    fun leavesOut(owner: HeapClass, field: String): Boolean =
        "${owner.name.replace('$', '.')}.$field" in entries || "${owner.shortName}.$field" in entries

    private fun packagesOf(type: HeapClass) =
        generateSequence(type.name.substringBeforeLast('.', "")) {
            it.substringBeforeLast('.', "")
        }.takeWhile { it.isNotEmpty() }
}
