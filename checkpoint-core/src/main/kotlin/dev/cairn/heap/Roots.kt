package dev.cairn.heap

/**
 * Where the program begins: a value that both dumps have, and what it is called.
 *
 * @property isCertain false if it may be another variable of the same type
 */
internal class Root(
    val place: String,
    val path: String,
    val type: ValueType,
    val unbroken: Long,
    val restarted: Long,
    val isCertain: Boolean = true,
)

/** The roots of two dumps: static fields, objects on the stacks of threads, suspended functions. */
internal class Roots(private val left: Side, private val right: Side) {
    fun find(): List<Root> = statics() + locals() + suspended()

    private fun statics(): List<Root> {
        val others = right.program.associateBy { it.name }
        val compared = left.program.filterNot(left.shapes::leavesOut).sortedBy { it.name }
        return compared.flatMap { type -> others[type.name]?.let { statics(type, it) }.orEmpty() }
    }

    private fun statics(one: HeapClass, other: HeapClass): List<Root> {
        val others = other.statics.associateBy { it.name }
        val compared = one.statics.filterNot { it.name.startsWith(OF_JVM) || left.shapes.leavesOut(one, it.name) }
        return compared.mapNotNull { field ->
            val name = "${one.shortName}.${field.name}"
            val partner = others[field.name]?.takeIf { it.type == field.type } ?: return@mapNotNull null
            Root(name, name, field.type, left.dump.bits(field), right.dump.bits(partner))
        }
    }

    /** Compiled code drops variables that are no longer used: those of a class are paired if both calls have as many of them. */
    private fun locals(): List<Root> {
        val others = framesOf(right)
        return framesOf(left).flatMap { (frame, call) -> others[frame]?.let { localsOf(call, it) }.orEmpty() }
    }

    /** A call of a function of the program; [occurrence] counts recursive ones. */
    private data class Frame(val thread: String, val type: String, val method: String, val occurrence: Int)

    private fun framesOf(side: Side): Map<Frame, HeapFrame> {
        val ofProgram = side.program.filterNot(side.shapes::leavesOut).associateBy { it.name }
        val counts = HashMap<Frame, Int>()
        val frames = LinkedHashMap<Frame, HeapFrame>()
        for (thread in side.dump.threads) {
            for (call in thread.frames.asReversed()) {
                if (call.className !in ofProgram) continue
                val first = Frame(side.threadNames.getValue(thread.id), call.className, call.method, 0)
                val occurrence = counts.merge(first, 1, Int::plus)
                frames[first.copy(occurrence = checkNotNull(occurrence))] = call
            }
        }
        return frames
    }

    private fun localsOf(one: HeapFrame, other: HeapFrame): List<Root> {
        val restarted = byType(right, other)
        return byType(left, one).flatMap { (type, same) ->
            val partners = restarted[type]?.takeIf { it.size == same.size } ?: return@flatMap emptyList()
            val names = left.namesOf(one, same)
            same.zip(partners).mapIndexed { index, (mine, its) -> local(one, mine, its, names[index], same.size == 1) }
        }
    }

    private fun byType(side: Side, frame: HeapFrame): Map<String, List<Long>> =
        frame.locals
            .distinct()
            .filter {
                side.dump.numberOf(it) != HeapDump.NONE
            }.groupBy { side.dump.classOf(side.dump.numberOf(it)).stableName }

    private fun local(frame: HeapFrame, mine: Long, its: Long, name: String, isCertain: Boolean): Root {
        val place = "$LOCAL $name of ${HeapClass.shortNameOf(frame.className)}.${frame.method}"
        return Root(place, "($place)", ValueType.REFERENCE, mine, its, isCertain)
    }

    private fun suspended(): List<Root> {
        val others = suspendedOf(right)
        return suspendedOf(left).mapNotNull { (key, one) ->
            val (type, rank) = key
            val name = left.suspended.functionOf(left.dump.classOf(one)) + (rank?.let { " of rank $it" } ?: "")
            val path = if (rank == null) name else "($name)"
            others[type to rank]?.let {
                Root("suspended $name", path, ValueType.REFERENCE, left.dump.idOf(one), right.dump.idOf(it))
            }
        }
    }

    /**
     * By their classes, and the ranks to which they belong, in this order; left out are those of which a rank has several. The order in a
     * dump is that in which a garbage collector has moved them.
     */
    private fun suspendedOf(side: Side): Map<Pair<String, Long?>, Int> {
        val dump = side.dump
        val all = dump.instances { it in side.program && side.shapes.of(it).form == ClassShape.Form.Suspended }
        val ranks = RankOf(dump)
        val owned = all.groupBy { dump.classOf(it).name to ranks.find(it) }.filterValues { it.size == 1 }
        val order = owned.keys.sortedWith(compareBy({ it.first }, { it.second }))
        return order.associateWith { owned.getValue(it).single() }
    }

    private companion object {
        /** Static fields that are not in the source. */
        const val OF_JVM = "<"
    }
}

/** The rank to which a suspended function belongs, if the program runs on simulated ranks: some object near it knows. */
private class RankOf(private val dump: HeapDump) {
    fun find(start: Int): Long? {
        val seen = LinkedHashSet(listOf(start))
        var index = 0
        while (index < seen.size && index < MOST_SEEN) {
            val number = seen.elementAt(index++)
            if (dump.kindOf(number) != ObjectKind.INSTANCE) continue
            val type = dump.classOf(number)
            if (type.name == "dev.cairn.ranks.RankSeat") return dump.bits(number, "rank")
            type.fields.filter { it.type == ValueType.REFERENCE }.mapTo(seen) { dump.numberOf(dump.bits(number, it)) }
            seen -= HeapDump.NONE
        }
        return null
    }

    private companion object {
        const val MOST_SEEN = 200
    }
}
