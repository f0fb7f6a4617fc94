package dev.cairn.item

import dev.cairn.checkpoint.StreamInput
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Renames
import java.nio.ByteBuffer
import java.nio.file.Path

// The ways in which items are restored. A kind uses one of them. Items that are stored as bytes, the first two ways, take their turns
// in one phase of a restore; cells and rows have a phase each. All items of a phase share its calls.

/** All ranks get the bytes that rank 0 has stored; such items share broadcasts. */
internal interface SharedItem : StateItem {
    fun assign(bytes: ByteBuffer, renames: Renames)
}

/** Each rank restores it without a collective, from the bytes of some of the old ranks. */
internal interface RankItem : StateItem {
    /** Whether code of the program reads its bytes. That code may change any state, so all frames are checked before. */
    val isReadByProgram: Boolean get() = false

    /** The name of the step in a failure to [restore] it. */
    val restoreStep: String get() = "read '$name'"

    /** Restores this rank's part, and returns its digest; the sum over all ranks is the digest of the item. */
    fun restore(source: ItemSource): CellDigest

    /** The last step, which cannot be undone: all items have been restored and verified. */
    fun conclude(source: ItemSource) = Unit
}

/** Its bytes are read as a value, and doing so does not change the program. */
internal interface ReadBackItem : RankItem {
    /** Refuses [stored] bytes of this rank that a restart could not read. */
    fun readBack(stored: StreamInput)

    /** The value in these bytes of one rank, which the program does not get. */
    fun read(source: StreamInput): Any?
}

/** The items that the program reads, and of which nothing shows before a restart whether it can. */
internal val List<StateItem>.neverReadBack: List<StateItem>
    get() = filter { it is RankItem && it.isReadByProgram && it !is ReadBackItem }

/** Its content is a file outside of the checkpoint, which holds only the length and a digest of that file. */
internal interface FileItem : RankItem {
    val file: Path

    /** The file system in which it lies. */
    val files: BlockStore

    /** Equal for the same file, unless there are links to it. */
    val absoluteFile: Path get() = file.toAbsolutePath().normalize()

    /** The directory on each host for what waits for the file; null if there is none. */
    val stage: Path? get() = null

    /** Whether a program appends to it through a [dev.cairn.Output]; the same on all ranks. */
    val isOpenedByCairn: Boolean

    /** Sets the [owner] whose rights cover the file from now on. */
    fun ownedBy(owner: OutputOwner)

    /** Fails for good if the program has appended bytes that are in no file. */
    fun requireWhole() = Unit

    /** Writes waiting bytes; returns a sentence about bytes that are still missing, or null. */
    fun lack(): String? = null

    /** A save of the program's step number [step] begins. */
    fun saveBegins(step: Long)

    /**
     * On rank 0: the run begins without a restored checkpoint that holds this item.
     *
     * @param laterSave the newest save, if an older one was restored
     */
    fun begin(laterSave: Int?)

    /** Collective: the run has begun, with a restored checkpoint or without one. */
    suspend fun runBegins() = Unit

    /** The program writes no more: other programs may have the file. */
    fun runEnds()
}

/** An item whose ranks have something to do together before a save. */
internal interface PreparedItem {
    /** Collective: the program waits for this save. */
    suspend fun prepare()

    /** Collective: as [prepare], but the program goes on while the save is written; the captures are [forced][Capture.force] then. */
    suspend fun prepareToGoOn()

    /** Collective: as [prepareToGoOn], but the save goes to the disks of the hosts first, and should not wait for other files. */
    suspend fun prepareToSeal()

    /** Whether the save that was [prepared so][prepareToSeal] holds cells that [prepare] would write elsewhere: the same on all ranks. */
    val isHolding: Boolean get() = false
}

/** Its cells are sent to the ranks that request them. The requests of a rank may depend on restored values. */
internal interface CellItem : StateItem {
    val shape: Shape
    val coverage: Coverage

    /** The blocks of this rank at this time. */
    fun blocks(): List<CellBlock>

    /** Refuses the boxes of all ranks in [tables] if they do not make up the item. */
    fun requireTiled(tables: List<TableOfContents>)

    /** Notes that the boxes of all ranks make up the item; [boxes] are those of this rank. */
    fun acceptTiling(boxes: List<Box>)
}

/** Returns a function from the number of a row to the rank that owns it. */
internal typealias RowOwners = (rows: Rows, rankCount: Int) -> (row: Int) -> Int

/** Its rows are dealt to the ranks, and sent to their owners if it has [owners]. The program gets them after all are verified. */
internal interface RowItem : StateItem {
    /** The owners of rows on another number of ranks; null if any rank may have any row. */
    val owners: RowOwners?

    /** What holds these rows in lists; null if they are a table of their own. */
    val holder: RowHolder?

    /** These rows in the declared columns: without removed columns, and with added ones. */
    fun asDeclared(rows: Rows): Rows

    /** Takes its [rows], which the program gets by [give] when those of all items are there. */
    fun keep(rows: Rows)

    /** Whether the order of the rows on a rank is state, which a restart on as many ranks keeps. */
    val isOrdered: Boolean

    /** The rows of all items are there: those that lead to some do so now. */
    fun link()

    /** The program gets its rows. */
    fun give()

    /** The program has got all rows. */
    fun look()

    /** All rows have been compared with those that the program got. */
    fun release()

    /** All is restored, and afterRestore has run: refuses the restore if the program does not have what was saved. */
    fun requireRestored()
}

/** The [table] whose rows hold those of another item, one list behind the other, and its [column] of how many each holds. */
internal class RowHolder(val table: RowItem, val column: String)
