package dev.cairn.run

import dev.cairn.event.withTypedFailures
import dev.cairn.item.FileItem
import dev.cairn.item.OutputEnd
import dev.cairn.item.OutputOwner
import dev.cairn.item.SaveMarks
import dev.cairn.item.StateItem
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.collectively
import dev.cairn.reading.outputMarks
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import dev.cairn.store.ifReadable
import java.nio.file.Path

/** The outputs among the [items] of a program with checkpoints, from the beginning of its run to its end. Each rank has one. */
internal class Outputs(
    private val ranks: Communicator,
    private val items: List<StateItem>,
    private val owned: OwnedStore?,
) {
    private val opened = items.filterIsInstance<FileItem>().filter { it.isOpenedByCairn }
    private var areBegun = false

    /** What is missing in them at the end, in sentences. */
    var lack = ""
        private set

    /** Collective: the run begins with these outputs [restored], and the others anew. */
    suspend fun begin(restored: Set<StateItem> = emptySet(), laterSave: Int? = null) {
        ranks.beginOutputs(items, restored, owned, laterSave)
        areBegun = true
    }

    /** Collective: a program that does not restore has its outputs from its first save on, or from where it asks for one. */
    suspend fun beginWaiting() {
        if (areBegun || opened.isEmpty()) return
        ranks.beginOutputs(opened)
        areBegun = true
    }

    /** Collective: what was appended is in the files, or the program ends as one whose state is not saved. */
    suspend fun complete() {
        if (opened.isEmpty()) return
        lack = ranks.broadcastText(ROOT) { lackNow() }
        withTypedFailures { ranks.collectively("complete the outputs") { requireWhole() } }
    }

    /** Not collective: a program that closes without [complete] has what this rank lacks. */
    fun look() {
        if (lack.isEmpty()) lack = lackNow()
    }

    private fun lackNow(): String = opened.mapNotNull { it.lack() }.joinToString(" ")

    /** Fails if bytes were refused. */
    fun requireWhole() = opened.forEach { it.requireWhole() }

    /** This program writes no more to them. */
    fun end() = endOutputs(items)
}

/** From now on the outputs among [items], in [files], check whether this program still owns the store, which keeps them for saves. */
internal fun OwnedStore.guardOutputs(items: List<StateItem>, files: BlockStore) {
    val owner =
        object : OutputOwner {
            /** By the numbers of the saves, which no other save ever gets: what a save covers does not change. */
            private val marks = mutableMapOf<Int, SaveMarks>()

            override val mayBeShared get() = displaced.exists

            override fun requireHeld() = this@guardOutputs.requireHeld()

            override fun saveMarks() = ifReadable { present().map(::marksOf) } ?: listOf(null)

            private fun marksOf(save: Entry.Numbered): SaveMarks? =
                marks[save.number] ?: store.outputMarks(files, save)?.also { marks[save.number] = it }

            override fun keeps(file: Path, kept: Path, number: Int, end: OutputEnd?) {
                val marks = if (end == null || end.head == 0L) saveMarks().find { it?.number == number } else null
                KeptOutputs(files, store, ::requireHeld).record(file, kept, number, marks)
            }

            // An owner that was displaced may have begun to delete it.
            override fun hasKept(kept: Path) =
                !mayBeShared && ifReadable { KeptOutputs(files, store, ::requireHeld).has(kept) } ?: false

            override fun leaveShared() = displaced.remember()
        }
    items.filterIsInstance<FileItem>().forEach { it.ownedBy(owner) }
}

/**
 * Collective: the run begins. The outputs among [items] continue if they were [restored], and otherwise start empty.
 *
 * @param owned on rank 0, the store of the program, if it has one
 * @param laterSave the newest save, if an older one was restored
 */
internal suspend fun Communicator.beginOutputs(
    items: List<StateItem>,
    restored: Set<StateItem> = emptySet(),
    owned: OwnedStore? = null,
    laterSave: Int? = null,
) {
    val outputs = items.filterIsInstance<FileItem>()
    if (outputs.isEmpty()) return
    withTypedFailures {
        collectively("begin the outputs") {
            if (rank == ROOT) outputs.filterNot { it in restored }.forEach { it.begin(laterSave) }
            owned?.displaced?.forget()
        }
    }
    outputs.forEach { it.runBegins() }
}

/** A save of the program's step number [step] begins. */
internal fun beginSave(items: List<StateItem>, step: Long) =
    items.filterIsInstance<FileItem>().forEach { it.saveBegins(step) }

/** This program writes no more to the outputs among [items]; other programs may. */
internal fun endOutputs(items: List<StateItem>) = items.filterIsInstance<FileItem>().forEach { it.runEnds() }
