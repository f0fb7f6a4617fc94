package dev.cairn.comm

/** The group that a rank wants to join, and its order there; a null [group] joins none. */
internal class SplitRequest(
    val group: Any?,
    val key: Int,
)

/** A rank's place in its part: the first meeting there, and its index. */
internal class SplitPlace(
    val meeting: CollectiveCall,
    val index: Int,
)

/** One place for each rank, or null for those without a group. [requests] are in the order of ranks. */
internal fun SeatGroup.partition(requests: List<Any?>): List<SplitPlace?> {
    val places = arrayOfNulls<SplitPlace>(size)
    val parts = requests.indices.groupBy { (requests[it] as SplitRequest).group }
    for ((part, ranks) in parts) {
        if (part == null) continue
        val members = ranks.sortedBy { (requests[it] as SplitRequest).key }
        val meeting = CollectiveCall(SeatGroup("$name/$part", members.map { seats[it] }, checks, scheduler), number = 1)
        members.forEachIndexed { index, rank -> places[rank] = SplitPlace(meeting, index) }
    }
    return places.asList()
}
