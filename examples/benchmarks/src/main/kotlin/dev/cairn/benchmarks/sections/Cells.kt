package dev.cairn.benchmarks.sections

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.DoubleBuffer
import java.nio.file.Path

private const val CHECKED_CELLS = 1 shl 17

/** Fails unless [file] begins with the first [count] of [cells]. */
internal fun BlockStore.requireCells(file: Path, cells: DoubleArray, count: Int = cells.size) {
    val buffer = ByteBuffer.allocate(CHECKED_CELLS * Double.SIZE_BYTES).order(LITTLE_ENDIAN)
    open(file, Access.READ).use {
        for (first in 0 until count step CHECKED_CELLS) {
            val expected = DoubleBuffer.wrap(cells, first, minOf(CHECKED_CELLS, count - first))
            buffer.clear().limit(expected.remaining() * Double.SIZE_BYTES)
            it.readFully(first.toLong() * Double.SIZE_BYTES, buffer)
            val different = buffer.flip().asDoubleBuffer().mismatch(expected)
            check(different < 0) { "$file: cell ${first + different} is wrong" }
        }
    }
}
