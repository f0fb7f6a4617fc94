package dev.cairn.output

import dev.cairn.redistribution.Distribution
import java.util.SortedMap
import java.util.TreeMap

/** The cells of one rank that are not in the file yet. A later put replaces earlier cells. */
internal class PendingPuts {
    private val byRecord: SortedMap<Long, MutableMap<FileVariable, PartPlaces>> = TreeMap()

    /** Adds [place], which replaces what was put there before. */
    fun add(place: PutPlace) = partOf(place).add(place)

    /** Adds [place], which is one of a new record. If it shares a cell with another one of it, the record is not whole. */
    fun begin(place: PutPlace) = partOf(place).begin(place)

    private fun partOf(place: PutPlace) =
        byRecord.getOrPut(place.record) { mutableMapOf() }.getOrPut(place.variable) { PartPlaces() }

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

    /** Those that share cells with others that were put at the same time. */
    private val doubled = mutableListOf<PutPlace>()

    val all: List<PutPlace> get() = byFirstCell.values + doubled

    val cellCount: Long get() = all.sumOf { it.box.cellCount() }

    fun begin(place: PutPlace) {
        if (touching(place).isEmpty()) keep(place) else doubled += place
    }

    fun add(place: PutPlace) {
        val touched = touching(place)
        for (earlier in touched) byFirstCell.remove(earlier.firstCell)
        for (earlier in touched) Distribution.without(earlier.box, place.box).forEach { keep(earlier.within(it)) }
        keep(place)
    }

    private fun touching(place: PutPlace) =
        byFirstCell
            .subMap(place.firstCell - longest, true, place.lastCell, true)
            .values
            .filter { it.box.intersects(place.box) }

    private fun keep(place: PutPlace) {
        byFirstCell[place.firstCell] = place
        longest = maxOf(longest, place.lastCell - place.firstCell)
    }
}
