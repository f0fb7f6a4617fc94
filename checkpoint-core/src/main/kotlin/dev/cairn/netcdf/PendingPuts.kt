package dev.cairn.netcdf

import dev.cairn.concentrate.Request

/** The cells of one rank that are not in the file yet. No two of its puts share a cell, since a later one replaces earlier cells. */
internal class PendingPuts {
    private val byRecord = sortedMapOf<Long, MutableList<Put>>()

    /** The bytes that were put; those that were replaced count, too. */
    var byteCount = 0L
        private set

    fun add(put: Put) {
        val ofRecord = byRecord.getOrPut(put.record) { mutableListOf() }
        val (touched, others) = ofRecord.partition { it.variable === put.variable && it.box.intersects(put.box) }
        if (touched.isNotEmpty()) {
            ofRecord.clear()
            ofRecord += others + touched.flatMap { it.without(put.box) }
        }
        ofRecord += put
        byteCount += put.byteCount
    }

    /** How many records there are, as far as these puts tell. */
    val recordCount: Long get() = if (byRecord.isEmpty()) 0 else byRecord.lastKey() + 1

    fun requests(): List<Request> = byRecord.values.flatten().map { it.request() }

    /** How many cells of [variable] are pending. */
    fun cellCount(variable: FileVariable): Long =
        byRecord.values
            .flatten()
            .filter { it.variable === variable }
            .sumOf { it.box.cellCount() }

    fun clear() {
        byRecord.clear()
        byteCount = 0
    }
}
