package dev.cairn.netcdf

import java.util.SortedMap
import java.util.TreeMap

/** The cells of one rank that are not in the file yet. No two of its places share a cell, since a later put replaces earlier cells. */
internal class PendingPuts {
    private val byRecord: SortedMap<Long, MutableMap<FileVariable, PartPlaces>> = TreeMap()

    /** Adds [place], which replaces what was put there before. */
    fun add(place: PutPlace) =
        byRecord
            .getOrPut(place.record) { mutableMapOf() }
            .getOrPut(place.variable) { PartPlaces() }
            .add(place)

    /** How many records there are, as far as these puts tell. */
    val recordCount: Long get() = if (byRecord.isEmpty()) 0 else byRecord.lastKey() + 1

    val places: List<PutPlace> get() = byRecord.values.flatMap { parts -> parts.values.flatMap { it.all } }

    /** Those places whose cells are at hand. */
    val puts: List<Put> get() = places.filterIsInstance<Put>()

    /** The bytes of all cells. */
    val byteCount: Long get() = places.sumOf { it.byteCount }

    /** How many cells of [variable] are pending. */
    fun cellCount(variable: FileVariable): Long = byRecord.values.sumOf { it[variable]?.cellCount ?: 0L }

    fun clear() = byRecord.clear()
}

/** Places in a part of a variable, by the numbers of their first cells. */
private class PartPlaces {
    private val byFirstCell = TreeMap<Long, PutPlace>()

    /** No place reaches further behind its first cell. */
    private var longest = 0L

    val all: Collection<PutPlace> get() = byFirstCell.values

    val cellCount: Long get() = all.sumOf { it.box.cellCount() }

    fun add(place: PutPlace) {
        val touched = near(place).filter { it.box.intersects(place.box) }
        for (earlier in touched) byFirstCell.remove(earlier.firstCell)
        for (earlier in touched) earlier.box.without(place.box).forEach { keep(earlier.within(it)) }
        keep(place)
    }

    /** Those that may share a cell with [place]. */
    private fun near(place: PutPlace) =
        byFirstCell.subMap(place.firstCell - longest, true, place.lastCell, true).values

    private fun keep(place: PutPlace) {
        byFirstCell[place.firstCell] = place
        longest = maxOf(longest, place.lastCell - place.firstCell)
    }
}
