package dev.cairn.run

import dev.cairn.event.withTypedFailures
import dev.cairn.item.FileItem
import dev.cairn.item.OutputOwner
import dev.cairn.item.StateItem
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.collectively
import dev.cairn.store.OwnedStore

/** From now on the outputs among [items] check whether this program still owns the store. */
internal fun OwnedStore.guardOutputs(items: List<StateItem>) {
    val owner =
        object : OutputOwner {
            override val mayBeShared get() = displaced.exists

            override fun requireHeld() = this@guardOutputs.requireHeld()

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
