package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.contents.TableOfContents
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.schema.Renames
import java.nio.ByteBuffer
import java.nio.file.Path

// The ways in which items come back. A kind takes one of them, and a restore has a phase for each, in the order below, so that all
// items of a phase share its calls.

/** All ranks get the bytes that rank 0 has stored; such items share broadcasts. */
internal interface SharedItem : StateItem {
    fun assign(
        bytes: ByteBuffer,
        renames: Renames,
    )
}

/** Each rank restores it for itself, without a call of all ranks, from the bytes of some of the old ranks. */
internal interface RankItem : StateItem {
    /** Whether the program reads its bytes itself. It may add them to what it has, so all frames are checked before. */
    val isReadByProgram: Boolean get() = false

    /** The name of the step in a failure to [restore] it. */
    val restoreStep: String get() = "read '$name'"

    /** The digest of what this rank has read; the sum over all ranks is that of the item. */
    fun restore(source: ItemSource): CellDigest

    /** The last step, which cannot be undone: all items have been restored, and are good. */
    fun conclude(source: ItemSource) = Unit
}

/** Its content lies in a file outside of the checkpoint, which holds only how far the file had come. */
internal interface FileItem : RankItem {
    val file: Path

    /** Tells which file it is, unless links lead to it. */
    val absoluteFile: Path get() = file.toAbsolutePath().normalize()

    /** From now on [owner] says what may be done with the file. */
    fun ownedBy(owner: OutputOwner)

    /** On rank 0: the run begins, and no checkpoint from which it goes on knows this item. */
    fun begin()
}

/** Its cells come to the ranks that ask for them. Which ones a rank asks for may follow from values. */
internal interface CellItem : StateItem {
    val shape: Shape
    val coverage: Coverage

    /** The blocks of this rank as they are now. */
    fun blocks(): List<CellBlock>

    /** Refuses the boxes that all ranks have of it, as their [tables] say, if they do not make up the item. */
    fun requireTiled(tables: List<TableOfContents>)

    /** Notes that all ranks know that their boxes make up the item, this rank's [boxes] among them. */
    fun acceptTiling(boxes: List<Box>)
}

/** Tells which rank owns each of some rows, for a number of ranks. */
internal typealias RowOwners = (rows: Rows, rankCount: Int) -> (row: Int) -> Int

/** Its rows are dealt to the ranks, and then sent to their owners if it has some. The program gets them when all are good. */
internal interface RowItem : StateItem {
    /** The owners of rows on another number of ranks; null if any rank may have any row. */
    val owners: RowOwners?

    /** These rows in the columns of today: without those that were removed, and with those that were added. */
    fun asDeclared(rows: Rows): Rows

    /** Gives the program its rows. */
    fun assign(rows: Rows)
}
