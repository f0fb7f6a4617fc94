package dev.cairn.output

import dev.cairn.grid.Box
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.Structure
import java.nio.ByteBuffer

/** Where the ranks have put cells, as rank 0 sees it. */
internal class RankPlaces(private val byRank: List<List<PutPlace>>) {
    /** Where all ranks but [ranks] have put cells of [variables]. */
    fun ofOthers(ranks: Set<Int>, variables: Set<FileVariable>): List<PutPlace> =
        byRank
            .withIndex()
            .filter { it.index !in ranks }
            .flatMap { it.value }
            .filter { it.variable in variables }

    /** The boxes of [variable] that each rank has put. */
    fun boxesOf(variable: FileVariable): List<List<Box>> =
        byRank.map { places -> places.filter { it.variable == variable }.map { it.box } }

    /** Refuses cells that two ranks have put. */
    fun requireApart() {
        val parts =
            byRank
                .flatMapIndexed { rank, places -> places.map { Owned(rank, it) } }
                .groupBy { it.place.variable to it.place.record }
        var sound = emptyList<Pair<Int, Box>>()
        for (ofPart in parts.values) {
            // Usually the same ranks have put the same cells in every record.
            val boxes = ofPart.map { it.rank to it.place.box }
            if (boxes == sound) continue
            requireApart(ofPart)
            sound = boxes
        }
    }

    private fun requireApart(ofPart: List<Owned>) {
        val open = mutableListOf<Owned>()
        for (next in ofPart.sortedBy { it.place.firstCell }) {
            open.removeAll { it.place.lastCell < next.place.firstCell }
            open.find { it.place.box.intersects(next.place.box) }?.let { refuse(it, next) }
            open += next
        }
    }

    private fun refuse(one: Owned, other: Owned): Nothing {
        val shared = one.place.box.intersection(other.place.box)
        val cell = List(shared.dimensions(), shared::start)
        val (first, second) = listOf(one.rank, other.rank).sorted()
        throw IllegalStateException(
            "ranks $first and $second have both put cell $cell of record " +
                "${one.place.record} of variable '${one.place.variable.name}'. Let each cell have one owner",
        )
    }

    private class Owned(val rank: Int, val place: PutPlace)

    companion object {
        private class Entry(val variable: Int, val record: Long, val bounds: LongArray)

        private val ENTRY =
            Structure(Entry(0, 0, LongArray(0))) { Entry(u32(it.variable), u64(it.record), longs(it.bounds)) }

        private val ENTRIES = MessageFields("the places of cells", emptyList<Entry>()) { list(it, ENTRY) }

        fun encode(places: List<PutPlace>): ByteBuffer =
            ENTRIES.encode(places.map { Entry(it.variable.number, it.record, boundsOf(it.box)) })

        fun decode(messages: List<ByteBuffer>, variables: List<FileVariable>) =
            RankPlaces(
                messages.map { message ->
                    ENTRIES.decode(message).map { PutPlace(variables[it.variable], it.record, boxOf(it.bounds)) }
                },
            )
    }
}
