package dev.cairn.heap

/** Numbers that are equal for equal keys of hash tables of two dumps, and differ for most others. Looks a few objects deep. */
internal class Fingerprints(private val side: Side) {
    private val dump = side.dump
    private val typeHashes = LongArray(dump.classes.size) { hash(dump.classes[it].stableName) }

    fun of(id: Long): Long = of(id, MOST_DEPTH)

    private fun of(id: Long, depth: Int): Long {
        if (id == 0L) return 0
        val number = dump.numberOf(id)
        if (number == HeapDump.NONE) return dump.classObject(id)?.let { hash(it.stableName) } ?: 1
        val start = typeHashes[dump.classOf(number).number]
        side.textOf(number)?.let { return hash(it) + start }
        if (depth == 0) return start
        return when (dump.kindOf(number)) {
            ObjectKind.PRIMITIVES -> numbers(start, number)
            ObjectKind.REFERENCES -> elements(start, dump.references(number, MOST_ELEMENTS), depth)
            ObjectKind.INSTANCE -> instance(start, number, depth)
        }
    }

    private fun numbers(start: Long, array: Int): Long {
        val first = 0 until minOf(dump.length(array), MOST_ELEMENTS)
        return first.fold(start) { sum, index -> mix(sum, numberAt(array, index)) }
    }

    private fun numberAt(array: Int, index: Int): Long {
        val type = dump.elementType(array)
        return type.bits(dump.bytes, dump.elementsAt(array) + index.toLong() * type.size)
    }

    private fun instance(start: Long, number: Int, depth: Int): Long {
        val held = side.contentOf(number)?.let { contents(start, it, number, depth) } ?: start
        return side.shapeOf(number).fields.fold(held) { sum, field ->
            val bits = dump.bits(number, field)
            mix(sum, if (field.type == ValueType.REFERENCE) of(bits, depth - 1) else bits)
        }
    }

    private fun contents(start: Long, content: Content, number: Int, depth: Int): Long {
        val ids = content.of(dump, number)
        val isOrdered = content.order == Content.Order.OF_PROGRAM
        return if (isOrdered) elements(start, ids, depth) else mix(start, ids.size.toLong())
    }

    private fun elements(start: Long, ids: LongArray, depth: Int) =
        ids.take(MOST_ELEMENTS).fold(start) { sum, id -> mix(sum, of(id, depth - 1)) }

    private fun hash(text: String): Long =
        text.fold(text.length.toLong()) { sum, character -> mix(sum, character.code.toLong()) }

    private fun mix(sum: Long, value: Long): Long {
        val mixed = (sum xor value) * MIX
        return mixed xor (mixed ushr 29)
    }

    private companion object {
        const val MOST_DEPTH = 3
        const val MOST_ELEMENTS = 16
        const val MIX = -0x61c8864680b583ebL
    }
}
