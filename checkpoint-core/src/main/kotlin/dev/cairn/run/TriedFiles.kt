package dev.cairn.run

import dev.cairn.checkpoint.Contents
import dev.cairn.item.Declared
import dev.cairn.ranks.collectively
import dev.cairn.restore.Found
import dev.cairn.save.LoopPosition
import dev.cairn.save.SaveContext
import dev.cairn.store.QuietFiles

/** The files of a program under trial; its ranks report to them data that no checkpoint holds. Any thread may call. */
internal interface TriedFiles : QuietFiles {
    /** A rank has declared its state. */
    fun declared(declared: Declared)

    /** A [rank] saves at this [position], and its witnesses have the values [witnessed]. */
    fun saves(rank: Int, position: LoopPosition, witnessed: Map<String, ByteArray>)

    /** A [rank] has restored the rows of [tables] in another order than saved. */
    fun outOfOrder(rank: Int, tables: List<String>)
}

/** Collective: the ranks report the values of their witnesses at [position] to [trial]. */
internal suspend fun SaveContext.readWitnesses(trial: TriedFiles, position: LoopPosition) =
    ranks.collectively("read the witnesses") {
        trial.saves(ranks.rank, position, declared.witnesses.associate { it.name to it.read() })
    }

/** Collective: the ranks report to [trial] whether the rows of tables are in the order of [found]. */
internal suspend fun SaveContext.compareOrder(trial: TriedFiles, found: Found) {
    if (found.manifest.rankCount != ranks.size) return
    val contents = Contents.unpack(found.contents)
    ranks.collectively("compare the order of rows") {
        val stored = found.manifest.keyed().map { (item, key) -> item.name to key }
        val asSaved = items.filter { (it.name to it.key) in stored }
        trial.outOfOrder(ranks.rank, pool.tablesOutOfOrder(asSaved, contents.tables[ranks.rank]).map { it.name })
    }
}
