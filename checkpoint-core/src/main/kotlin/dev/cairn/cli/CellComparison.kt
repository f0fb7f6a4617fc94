package dev.cairn.cli

import dev.cairn.state.ElementType
import dev.cairn.state.ElementType.BOOLEAN
import dev.cairn.state.ElementType.BYTE
import dev.cairn.state.ElementType.CHAR
import dev.cairn.state.ElementType.DOUBLE
import dev.cairn.state.ElementType.FLOAT
import dev.cairn.state.ElementType.INT
import dev.cairn.state.ElementType.LONG
import dev.cairn.state.ElementType.SHORT
import dev.cairn.state.Meaning
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import kotlin.math.abs

/** Counts the cells that differ in their bits, and finds the largest difference of their values if they are numbers. */
internal class CellComparison(private val type: ElementType, meaning: Meaning = Meaning.Number) {
    private val isNumber = type != BOOLEAN && meaning is Meaning.Number

    var count = 0L
        private set

    /** The global number of the first that differs. */
    var first: Long? = null
        private set

    private var largest = 0.0

    /** Compares the cells in both buffers, which are numbered from [firstIndex] on. */
    fun add(a: ByteBuffer, b: ByteBuffer, firstIndex: Long) {
        val one = a.slice().order(LITTLE_ENDIAN)
        val other = b.slice().order(LITTLE_ENDIAN)
        val cells = minOf(one.remaining(), other.remaining()) / type.size
        var cell = mismatch(one, other, 0, cells)
        while (cell < cells) {
            addMissing(firstIndex + cell, 1)
            largest = maxOf(largest, distance(one, other, cell * type.size))
            cell = mismatch(one, other, cell + 1, cells)
        }
    }

    /** Counts cells that the other side does not have. */
    fun addMissing(index: Long, cellCount: Long) {
        if (cellCount > 0 && first == null) first = index
        count += cellCount
    }

    /** The largest difference of numbers, if there is any. */
    fun largestDifference(): Double? = if (count == 0L || !isNumber) null else largest

    private fun mismatch(a: ByteBuffer, b: ByteBuffer, from: Int, cells: Int): Int {
        val start = from * type.size
        val length = (cells - from) * type.size
        val found = a.slice(start, length).mismatch(b.slice(start, length))
        return if (found < 0) cells else from + found / type.size
    }

    private fun distance(a: ByteBuffer, b: ByteBuffer, at: Int): Double =
        when (type) {
            DOUBLE -> abs(a.getDouble(at) - b.getDouble(at))
            FLOAT -> abs(a.getFloat(at).toDouble() - b.getFloat(at).toDouble())
            LONG -> distance(a.getLong(at), b.getLong(at))
            INT -> distance(a.getInt(at).toLong(), b.getInt(at).toLong())
            SHORT -> distance(a.getShort(at).toLong(), b.getShort(at).toLong())
            CHAR -> distance(a.getChar(at).code.toLong(), b.getChar(at).code.toLong())
            BYTE, BOOLEAN -> distance(a.get(at).toLong(), b.get(at).toLong())
        }

    /** Exact up to the conversion; as unsigned the difference of any two longs fits. */
    private fun distance(a: Long, b: Long): Double = (maxOf(a, b) - minOf(a, b)).toULong().toDouble()
}
