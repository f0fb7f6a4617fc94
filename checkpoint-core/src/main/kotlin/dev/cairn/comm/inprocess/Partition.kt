package dev.cairn.comm.inprocess

/** With whom a rank wants to be, and in which order there; a null [group] wants nobody. */
internal class Wish(
    val group: Any?,
    val key: Int,
)

/** A rank's place in its part: the first meeting there, and its index. */
internal class Place(
    val meeting: Meeting,
    val index: Int,
)

/** One place for each rank, or null for those that stay out. [wishes] are in the order of ranks. */
internal fun SeatGroup.partition(wishes: List<Any?>): List<Place?> {
    val places = arrayOfNulls<Place>(size)
    val parts = wishes.indices.groupBy { (wishes[it] as Wish).group }
    for ((part, ranks) in parts) {
        if (part == null) continue
        val members = ranks.sortedBy { (wishes[it] as Wish).key }
        val meeting = Meeting(SeatGroup("$name/$part", members.map { seats[it] }, checks, stage), number = 1)
        members.forEachIndexed { index, rank -> places[rank] = Place(meeting, index) }
    }
    return places.asList()
}
