package dev.cairn.mpi

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.output.OwnedArrays
import dev.cairn.output.readArrays
import dev.cairn.output.writeArrays
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import java.nio.file.Path

private val SHAPE = Shape.of(1000, 1000)

/** Processes write an array, are refused a larger file, and read the array back in other boxes. The argument is a directory. */
internal suspend fun main(args: Array<String>) {
    val directory = Path.of(args.single())
    everyRank(1) {
        val small = directory.resolve("small.arrays")
        writeArrays(small, Concentrators.total(2)) { declareColumns(this@everyRank) }
        collectively("limit the size of files") { limitFiles() }
        val large = directory.resolve("large.arrays")
        tellAll(failureOf { writeArrays(large, Concentrators.total(2)) { declareLarge(this@everyRank) } })
        tellAll("${wrongCellsIn(small)} cells differ")
    }
}

private fun OwnedArrays.declareColumns(ranks: Communicator) {
    val box = Decomposition.grid(SHAPE, 1, ranks.size).boxes(ranks.rank).single()
    array("u", SHAPE, box, DoubleArray(box.cellCount().toInt()) { SHAPE.index(*box.cell(it.toLong())).toDouble() })
}

private fun OwnedArrays.declareLarge(ranks: Communicator) {
    val shape = Shape.of(ranks.size * 8L shl 20)
    array("large", shape, Decomposition.rows(shape, ranks.size).boxes(ranks.rank).single(), ByteArray(8 shl 20))
}

private suspend fun Communicator.wrongCellsIn(file: Path): Int {
    val box = Decomposition.rows(SHAPE, size).boxes(rank).single()
    val values = DoubleArray(box.cellCount().toInt())
    readArrays(file, Concentrators.everyNth(1)) { array("u", SHAPE, box, values) }
    return values.indices.count { values[it] != SHAPE.index(*box.cell(it.toLong())).toDouble() }
}

/** No file of this process can have more than 12 MiB from now on. */
private fun limitFiles() {
    val command = listOf("prlimit", "--pid", "${ProcessHandle.current().pid()}", "--fsize=${12 shl 20}")
    check(ProcessBuilder(command).inheritIO().start().waitFor() == 0) { "$command has failed" }
}
