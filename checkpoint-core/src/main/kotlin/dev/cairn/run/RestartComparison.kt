package dev.cairn.run

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.StateDiffers
import dev.cairn.event.RankFailedException
import dev.cairn.event.rankText
import dev.cairn.item.StateItem
import dev.cairn.item.neverReadBack
import dev.cairn.redistribution.CellDigest
import dev.cairn.save.LoopPosition
import dev.cairn.store.Manifest

/**
 * The compared items of one rank after a restore.
 *
 * @property outOfOrder the indices of the tables whose rows are not in the order in which this rank saved them
 */
internal class HeldState(val digests: List<CellDigest>, val outOfOrder: List<Int>)

/** Fails if less is read of [items] than was written. The program is as it was. */
internal fun requireLossless(items: List<StateItem>) {
    val losses = items.mapNotNull { item -> item.loss()?.let { item.name to it } }
    if (losses.isEmpty()) return
    throw StateDiffers(
        Details(
            "check-restart: ${losses.joinToString("; ") { (_, loss) -> loss }}, so a restart does not restore that. " +
                "Nothing of the program was changed, and the saves stay, but they lack what is lost: store all that " +
                "a value holds, or leave the rest out of its equals().",
            losses.map { (name, _) -> name },
            reason = Reason.NOT_RESTORED,
        ),
    )
}

/**
 * Compares the state of a program, into which a save was [restored] in place of the [replaced] one, with that save, and words the
 * result.
 */
internal class RestartComparison(
    declared: List<StateItem>,
    private val restored: Manifest,
    private val replaced: Manifest,
) {
    private val compared = declared.filter { it.isRepeatable }
    private val leftOut = declared - compared.toSet()

    /**
     * Fails if the program does not hold what [restored] holds.
     *
     * @param byRank the compared items of each rank
     */
    fun requireSame(byRank: List<HeldState>) {
        val differences =
            compared.withIndex().mapNotNull { (index, item) ->
                difference(item, byRank.map { it.digests[index] }) ?: otherOrder(item, byRank.ranksOutOfOrder(index))
            }
        if (differences.isEmpty()) return
        val listed = differences.take(MOST_LISTED).joinToString(" ") { it.sentence() }
        val others = differences.drop(MOST_LISTED).map { it.item }
        val more = if (others.isEmpty()) "" else " The same holds for ${names(others)}."
        throw StateDiffers(
            Details(
                "check-restart: ${nameOf(restored)} was restored into the program, which held the state of " +
                    "${nameOf(replaced)}. $listed$more $ADVICE $END",
                differences.map { it.item.name },
                reason = Reason.NOT_RESTORED,
            ),
        )
    }

    /** The restore failed in the program or its declaration. All ranks build the same exception from the same [failure]. */
    fun failed(failure: RankFailedException) =
        StateDiffers(
            Details(
                "check-restart: ${nameOf(restored)} could not be restored into the program, which held the state of " +
                    "${nameOf(replaced)}: ${failure.message.orEmpty().removeSuffix(".")}. $END",
                reason = Reason.NOT_RESTORED,
                failures = failure.failures,
            ),
        )

    /** Whether there is anything that can be compared. */
    val comparesNothing: Boolean get() = compared.isEmpty()

    /** Both saves were restored, one after the other, and all items were the same. */
    fun success(): String {
        val unchanged = compared.filter { restored.digestOf(it) == replaced.digestOf(it) }
        val (same, read) = compared.partition { it.isCapturedAlike }
        val outputs = leftOut - leftOut.neverReadBack.toSet()
        val sentences =
            listOfNotNull(
                "nothing was compared".takeIf { comparesNothing },
                "${same.size} ${if (same.size == 1) "item is" else "items are"} the same".takeIf { same.isNotEmpty() },
                "${names(read)} can be read".takeIf { read.isNotEmpty() },
                "${names(unchanged)} did not change between the two, so the check does not cover that"
                    .takeIf { unchanged.isNotEmpty() },
                "${names(outputs)} ${if (outputs.size == 1) "was" else "were"} left out, as all outputs are"
                    .takeIf { outputs.isNotEmpty() },
            )
        val done = if (comparesNothing) "were restored" else "were restored and compared"
        return "check-restart: ${nameOf(restored)} and ${nameOf(replaced)} $done: ${sentences.joinToString("; ")}"
    }

    private fun List<HeldState>.ranksOutOfOrder(index: Int): List<Int> = indices.filter { index in this[it].outOfOrder }

    private fun otherOrder(item: StateItem, ranks: List<Int>) =
        if (ranks.isEmpty()) null else Difference(item, ranks, "its rows are in another order")

    private fun difference(item: StateItem, digests: List<CellDigest>): Difference? {
        // Each rank holds a replicated item whole; all ranks together hold any other item.
        val held = if (item.isReplicated) digests else listOf(digests.fold(CellDigest.NONE, CellDigest::plus))
        val wrong = held.indices.filter { "${held[it]}" != restored.digestOf(item) }
        if (wrong.isEmpty()) return null
        // Other bytes may encode the same value; the bytes of the other save do not.
        val isUntouched = wrong.all { "${held[it]}" == replaced.digestOf(item) }
        if (!isUntouched && !item.isCapturedAlike) return null
        val found = if (isUntouched) "it is still what save ${replaced.save} holds" else "it is what neither save holds"
        return Difference(item, if (item.isReplicated) wrong else emptyList(), found)
    }

    /** An item that differs from its save: the state that was [found] instead, and the [ranks], if known. */
    private inner class Difference(val item: StateItem, private val ranks: List<Int>, private val found: String) {
        fun sentence(): String {
            val place = if (ranks.isEmpty()) "" else " on ${rankText(ranks)}"
            val name = "${item.word} '${item.name}'"
            return "The $name should be what save ${restored.save} holds, but$place $found."
        }
    }

    private companion object {
        const val MOST_LISTED = 5

        const val ADVICE =
            "So a restart does not restore that. A setter must keep its argument everywhere; arrays must be " +
                "the program's own, not copies; a codec must read all bytes that it writes."

        const val END = "The program may now hold the state of no single step, so its run ends here. The saves stay."

        fun nameOf(manifest: Manifest) = "save ${manifest.save} (${LoopPosition(manifest.step, manifest.phase)})"

        fun names(items: List<StateItem>) = items.joinToString { "'${it.name}'" }

        fun Manifest.digestOf(item: StateItem): String = items.first { it.name == item.name }.digest
    }
}
