package dev.cairn.testing

import dev.cairn.item.knownKind
import dev.cairn.store.ManifestItem

/** The first difference of two histories: after [step] steps, in these [items]; [details] are sentences about their values. */
internal class Difference(
    val step: Long,
    val items: List<String>,
    val details: String = "",
    val isInOutputs: Boolean = false,
)

/** Compares [other], a history that was interrupted or repeated, with [one], and counts in [scope] what it compares. */
internal class HistoryComparison(
    private val one: TrialHistory,
    private val other: TrialHistory,
    private val names: RunNames,
    private val scope: TrialScope = TrialScope(),
    private val first: Int = 0,
) {
    /** Where graphs differ, in sentences, by their names. */
    private val inObjects = mutableMapOf<String, String>()

    /** The first difference in the saves from the [first] on, as far as [other] goes. */
    fun inSaves(): Difference? {
        val (mine, its) = one.saves to other.saves
        return (first until its.size).firstNotNullOfOrNull { at -> mine.getOrNull(at).difference(its[at]) }
    }

    /** The first difference, if both have ended. */
    fun toTheEnd(): Difference? =
        inSaves()
            ?: one.saves.getOrNull(other.saves.size)?.let { Difference(it.step, listOf(LAST_STEP)) }
            ?: inFinishedFiles()

    /** What [other] has got back in another order than it has saved it at [step]. */
    fun inOrder(step: Long): Difference? =
        other.outOfOrder.takeIf { it.isNotEmpty() }?.let { tables ->
            val details = tables.map { (table, ranks) -> names.outOfOrder(table, ranks) }
            Difference(step, tables.keys.sorted(), details.joinToString(" "))
        }

    private fun Waymark?.difference(its: Waymark): Difference? =
        when {
            this == null -> Difference(its.step, listOf(LAST_STEP))
            position != its.position -> Difference(its.step, listOf("the steps that are saved"))
            else -> differenceAtStep(this, its)
        }

    private fun differenceAtStep(mine: Waymark, its: Waymark): Difference? {
        val (same, unequal) =
            comparable(mine, its).partition { (a, b) ->
                if (a.digest == b.digest) !isReordered(a, mine, its) else isSame(a, mine, its)
            }
        val outputs = mine.outputs.keys.filter { mine.outputs[it] != its.outputs[it] }
        val witnesses = differentWitnesses(mine, its)
        val items = unequal.map { (item, _) -> item.name }
        if (items.isEmpty() && outputs.isEmpty() && witnesses.isEmpty()) return null
        val details = valuesOf(items, mine, its) + witnesses.values + agreement(same.map { (item, _) -> item.name })
        val isInOutputs = outputs.isNotEmpty() || unequal.any { (item, _) -> item.isOutput }
        return Difference(its.step, items + outputs + witnesses.keys, details.joinToString(" "), isInOutputs)
    }

    /** Private state is in other parts on another number of ranks. */
    private fun comparable(mine: Waymark, its: Waymark): List<Pair<ManifestItem, ManifestItem>> {
        val isSameCount = mine.manifest.rankCount == its.manifest.rankCount
        return mine.manifest.items
            .zip(its.manifest.items)
            .filter { (item, _) -> isSameCount || item.knownKind()?.isPrivate != true }
            .onEach { (item, _) -> if (!item.isOutput) scope.items += item.name }
    }

    /** Whether [item] has the same rows in another order, and that is state. */
    private fun isReordered(item: ManifestItem, mine: Waymark, its: Waymark): Boolean {
        val isOrdered = mine.manifest.rankCount == its.manifest.rankCount && item.knownKind()?.isOrdered(item) == true
        if (!isOrdered) return false
        val found =
            one.read(mine) { a -> other.read(its) { b -> a.table(item.name).isReordered(b.table(item.name)) } }
        if (found == null) scope.warnings.putIfAbsent(item.name, orderUnknown(item.name, its.step))
        return found == true
    }

    private fun orderUnknown(table: String, step: Long) =
        "the table '$table' has the same rows from step $step on, but may have them in another order: use a smaller " +
            "problem, so that the trial can keep them and compare their order"

    /** Whether a stream with other bytes is taken for the same: equal state may have other bytes. */
    private fun isSame(item: ManifestItem, mine: Waymark, its: Waymark): Boolean {
        val kind = item.knownKind()?.takeIf { it.adviceOnForms != null } ?: return false
        val streams = StreamComparison(item.name, kind, other.readerOf(item.name))
        val differ = one.read(mine) { a -> other.read(its) { b -> streams.differ(a, b) } }
        streams.inObjects?.let { inObjects[item.name] = names.difference(item, it) }
        if (differ == null) scope.warnings.putIfAbsent(item.name, streams.warning(its.step))
        return differ != true
    }

    private fun valuesOf(items: List<String>, mine: Waymark, its: Waymark): List<String> =
        one
            .read(mine) { a ->
                other.read(its) { b ->
                    items.take(MOST_TOLD).mapNotNull { inObjects[it] ?: names.difference(a.item(it), b.item(it)) }
                }
            }.orEmpty()

    private fun agreement(same: List<String>): List<String> =
        when {
            same.isEmpty() -> emptyList()
            same.size > MOST_NAMED -> listOf("The other ${same.size} items agree.")
            else -> listOf("${same.joinToString { "'$it'" }} ${if (same.size == 1) "agrees" else "agree"}.")
        }

    /** The names of witnesses with other values on the same number of ranks, with a sentence for each. */
    private fun differentWitnesses(mine: Waymark, its: Waymark): Map<String, String> {
        if (mine.manifest.rankCount != its.manifest.rankCount) return emptyMap()
        val others = other.witnessed(its.position)
        val different = mutableMapOf<String, String>()
        for ((rank, values) in one.witnessed(mine.position).toSortedMap()) {
            scope.witnesses += values.keys
            for ((name, value) in values) {
                val there = others[rank]?.get(name)
                if (!value.contentEquals(there)) different.putIfAbsent(name, names.witnessed(name, rank, value, there))
            }
        }
        return different
    }

    private fun inFinishedFiles(): Difference? {
        val (mine, finished) = one.finishedFiles to other.finishedFiles
        scope.outputs += mine.keys - one.inputs
        val unequal = mine.keys.filterNot { mine[it].contentEquals(finished[it]) }
        if (unequal.isEmpty()) return null
        val details = unequal.take(MOST_TOLD).map { names.lines(it, mine.getValue(it), finished[it]) } + UNFLUSHED
        return Difference(other.saves.last().step, unequal, details.joinToString(" "), isInOutputs = true)
    }

    private val ManifestItem.isOutput get() = knownKind()?.isOutside == true
}

private const val LAST_STEP = "the last step"
private const val MOST_TOLD = 3
private const val MOST_NAMED = 8
private const val UNFLUSHED =
    "The files differ although all saves agree: declare each file to which the program appends as an output, and " +
        "flush it before each save, since bytes that the program still buffers are lost with it."
