package dev.cairn.item

/** The bytes of a graph from an [input], in the order of [GraphTable]: first the table, then what stands behind it. */
internal class GraphSource(val input: GraphInput) {
    val table = readTable()
    val objectCount = table.objectCount.toInt()
    private val referenceSize = table.referenceSize

    private fun readTable(): GraphTable {
        val table =
            refusingDamage({ "its table cannot be read" }) {
                val size = input.take(Int.SIZE_BYTES)
                require(size <= minOf(input.left, MOST)) { "it has $size bytes, and ${input.left} are there" }
                GraphTable.STRUCTURE.readAll(input.bytes(size.toInt()))
            }
        val counts = table.classes.flatMap { listOf(it.count.toLong(), it.elementCount, it.byteCount) }
        val isNoTable = table.version != GraphTable.VERSION || counts.any { it < 0 || it > input.left }
        if (isNoTable) throw DamagedGraph("it has the version ${table.version}, and counts up to ${counts.maxOrNull()}")
        return table
    }

    /** Refuses a table that does not describe all the bytes behind it. */
    fun requireWhole() {
        if (table.byteCount == input.left && table.objectCount <= minOf(input.left, MOST)) return
        throw DamagedGraph("its objects take ${table.byteCount} bytes, and ${input.left} are there")
    }

    /** The number of an object, or 0. */
    fun takeReference(): Int = requireNumber(input.take(referenceSize).toInt())

    fun requireNumber(number: Int): Int {
        if (number !in 0..objectCount) throw DamagedGraph("it refers to an object $number")
        return number
    }

    fun takeFacts(stored: GraphClass): IntArray = takeNumbers(stored, stored.factSize)

    fun takeLengths(stored: GraphClass): IntArray = takeNumbers(stored, stored.lengthSize).also(stored::requireSum)

    private fun takeNumbers(stored: GraphClass, size: Int) =
        IntArray(if (size == 0) 0 else stored.count) {
            input.take(size).toInt().also { if (it < 0) throw DamagedGraph("a length of ${stored.name} is $it") }
        }

    /** Calls [read] for each column of each group of objects, with its index, and the indices of these. */
    inline fun forEachColumn(stored: GraphClass, read: (column: Int, from: Int, to: Int) -> Unit) {
        if (stored.fields.isEmpty()) repeat(stored.count) { input.take(1) }
        for (from in 0 until stored.count step GraphTable.GROUP_SIZE) {
            val to = minOf(stored.count, from + GraphTable.GROUP_SIZE)
            for (column in stored.fields.indices) read(column, from, to)
        }
    }
}

private const val MOST = Int.MAX_VALUE - 8L
