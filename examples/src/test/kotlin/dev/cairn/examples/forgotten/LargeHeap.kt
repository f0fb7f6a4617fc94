package dev.cairn.examples.forgotten

/** The reservoirs, with 200 MiB of other objects in the heap: half of them are arrays, the others small. */
internal object LargeHeap {
    private val arrays = ArrayList<DoubleArray>()
    private val cells = HashMap<Int, Double>()

    @JvmStatic
    fun main(args: Array<String>) {
        repeat(ARRAYS) { arrays += DoubleArray(CELLS_OF_ARRAY) { it.toDouble() } }
        for (cell in 0 until CELLS) cells[cell] = cell / 2.0
        Reservoirs.main(args)
    }
}

/** Each has 1 MiB. */
private const val ARRAYS = 100
private const val CELLS_OF_ARRAY = 131_072

/** With its key, its value and its place in the table, each takes 84 bytes. */
private const val CELLS = 1_250_000
