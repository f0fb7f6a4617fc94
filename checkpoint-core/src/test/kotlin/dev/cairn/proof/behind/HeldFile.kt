package dev.cairn.proof.behind

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import java.nio.file.Path
import java.util.concurrent.CountDownLatch

/** Lets operations of this [kind] on a file that [isMeant] wait until it is opened. */
internal class HeldFile(private val kind: Kind, private val isMeant: (Path) -> Boolean) {
    constructor(file: Path, kind: Kind) : this(kind, { it == file })

    private val latch = CountDownLatch(1)
    private val visit = CountDownLatch(1)

    fun open() = latch.countDown()

    val isVisited: Boolean get() = visit.count == 0L

    /** Returns when an operation waits, or has waited. */
    fun awaitVisit() = visit.await()

    fun inFrontOf(store: BlockStore): BlockStore =
        object : ForwardingStore(store) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (operation.kind() == kind && isMeant(operation.path())) {
                    visit.countDown()
                    latch.await()
                }
            }
        }
}

/** A file system that has few bytes left while it [isFull]. */
internal class FullWhile(target: BlockStore, private val isFull: () -> Boolean) : BlockStore by target {
    override fun freeSpace(path: Path): Long = if (isFull()) 100 else Long.MAX_VALUE
}

internal fun dataOf(save: Int): Path = SaveNames.data(DIRECTORY, save)
