package dev.cairn.item

import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** Writes the objects of a [walk], as [GraphTable] describes. They must not change between the walk and the end of this. */
internal class GraphWriting(private val name: String, private val walk: GraphWalk, target: OutputStream) {
    private val numbers = walk.numbers
    private val output = GraphOutput(target)
    private val referenceSize = GraphTable.sizeOf(numbers.count.toLong())

    fun run() {
        val roots = walk.roots.map { (name, root) -> GraphRoot(name, numberOf(root)) }
        val table = GraphTable(GraphTable.VERSION, roots, walk.groups.map { it.described(referenceSize) })
        writeTable(table)
        val start = output.position
        walk.groups.forEach(::writeMaking)
        walk.groups.forEach(::writeNeeded)
        walk.groups.forEach(::writeContent)
        check(output.position - start == table.byteCount) {
            "the graph '$name' has other bytes than planned: please report this"
        }
        output.drain()
    }

    private fun writeTable(table: GraphTable) {
        val size = GraphTable.STRUCTURE.size(table).toInt()
        val bytes = ByteBuffer.allocate(size).order(LITTLE_ENDIAN)
        GraphTable.STRUCTURE.write(table, bytes)
        output.put(size.toLong(), Int.SIZE_BYTES)
        output.put(bytes.array())
    }

    private fun writeMaking(group: GraphGroup) {
        write(group.facts, group)
        write(group.lengths, group)
        output.put(group.bytes.toByteArray())
    }

    private fun write(column: IntColumn, group: GraphGroup) {
        if (column.isEmpty) return
        val size = column.elementSize
        for (index in 0 until group.count) output.put(column[index].toLong(), size)
    }

    private fun writeNeeded(group: GraphGroup) {
        val form = group.form
        if (form.kind == GraphKind.RECORD) writeColumns(group)
        if (form is ContainerForm) writeReferences(group) { length -> 0 until minOf(form.needed, length) }
    }

    private fun writeContent(group: GraphGroup) {
        when (val form = group.form) {
            is NumbersForm<*> -> writeArrays(group, form)
            is ReferencesForm -> writeReferences(group) { length -> 0 until length }
            is ContainerForm -> writeReferences(group) { length -> minOf(form.needed, length) until length }
            else -> if (form.kind == GraphKind.FIELDS) writeColumns(group)
        }
    }

    private fun writeArrays(group: GraphGroup, form: NumbersForm<*>) {
        for (index in 0 until group.count) output.put(form.cellsOf(numbers[group.first + index]), group.lengths[index])
    }

    /** Of each object, those that [chosen] selects by the length. */
    private inline fun writeReferences(group: GraphGroup, chosen: (Int) -> IntRange) {
        var first = 0L
        for (index in 0 until group.count) {
            val length = group.lengths[index]
            for (part in chosen(length)) writeReference(group, first + part)
            first += length
        }
    }

    private fun writeColumns(group: GraphGroup) {
        val columns = group.form.columns
        if (columns.isEmpty()) repeat(group.count) { output.put(0, 1) }
        for (from in 0 until group.count step GraphTable.GROUP_SIZE) {
            val to = minOf(group.count, from + GraphTable.GROUP_SIZE)
            for (column in columns) writeColumn(group, column, from, to)
        }
    }

    private fun writeColumn(group: GraphGroup, column: GraphColumn, from: Int, to: Int) {
        if (column.element == null) {
            val references = group.form.references
            val place = from.toLong() * references.size + references.indexOf(column)
            for (index in 0L until to - from) writeReference(group, place + index * references.size)
        } else {
            for (index in from until to) output.put(column.bits(numbers[group.first + index]), column.element.size)
        }
    }

    private fun writeReference(group: GraphGroup, index: Long) =
        output.put(group.references[index].toLong(), referenceSize)

    private fun numberOf(found: Any?): Int = if (found == null) 0 else numbers.of(found)
}
