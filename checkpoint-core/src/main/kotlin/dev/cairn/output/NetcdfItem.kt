package dev.cairn.output

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.item.Capture
import dev.cairn.item.FileItem
import dev.cairn.item.ItemName
import dev.cairn.item.ItemSource
import dev.cairn.item.OutputCapture
import dev.cairn.item.OutputItem
import dev.cairn.item.OutputMark
import dev.cairn.item.OutputOwner
import dev.cairn.item.PreparedItem
import dev.cairn.item.outputDiffers
import dev.cairn.item.sizeOf
import dev.cairn.item.unreadableOutput
import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.netcdf.NetcdfException
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.LostOutputs
import java.io.IOException
import java.nio.file.Path

/**
 * A NetCDF file that the ranks write together. A save holds no content of it but the mark of an output, to which a restore cuts the
 * file back; the length there says how many records it had.
 *
 * @param output what it has in common with other outputs
 */
internal class NetcdfItem(
    private val output: OutputItem,
    private val staged: StagedOutput,
    private val store: BlockStore,
) : FileItem by output,
    PreparedItem {
    override val isOpenedByCairn get() = false

    override val stage get() = staged.plan.stage

    override val terms get() = output.terms + staged.plan.inWords

    override fun ownedBy(owner: OutputOwner) {
        output.ownedBy(owner)
        staged.ownedBy(owner)
    }

    override suspend fun prepare() = staged.flush()

    override suspend fun prepareToGoOn() = staged.gather()

    override suspend fun prepareToSeal() = staged.hold()

    override val isHolding get() = staged.held.recordCount > staged.written

    /**
     * Before the commit, the batch that was gathered before the save must be durable in the file, and count. Then the file must have
     * what its mark says.
     */
    override fun capture(rank: Int): Capture {
        val (mark, batch) = output.capture(rank) to staged.batch
        return OutputCapture(mark, force = { batch?.write() }) {
            batch?.let(staged::count)
            mark.checkForced()
        }
    }

    override fun restore(source: ItemSource): CellDigest {
        if (source.rank == ROOT && source.lostOutputs == LostOutputs.REFUSE) requireDeclared(source)
        return output.restore(source)
    }

    /** What is declared must be what the file has, or its bytes would mean something else from now on. An empty file is that of no mark. */
    private fun requireDeclared(source: ItemSource) {
        if (store.sizeOf(file) == 0L) return
        val difference =
            try {
                NetcdfReader.openStrict(store, file).use { staged.plan.differenceFrom(it) }
            } catch (damaged: NetcdfException) {
                val length = OutputMark.decode(source.bytes(ROOT)).length
                val flaw = "is no whole NetCDF file: ${damaged.message?.removeSuffix(".")}"
                throw outputDiffers(name, file, length, flaw, kept = null, former = null)
            } catch (failure: IOException) {
                throw unreadableOutput(name, file, failure)
            }
        if (difference == null) return
        throw Mismatch(
            Details(
                "$file: the output '$name' cannot be continued, since the file $difference. Nothing was changed: " +
                    "declare what the file has, or set lost-outputs = begin-anew, and the output continues without " +
                    "what it had.",
                listOf(name),
                file,
                Reason.OUTPUT,
            ),
        )
    }

    override fun conclude(source: ItemSource) {
        staged.continueFrom(staged.plan.recordsIn(OutputMark.decode(source.bytes(ROOT)).length))
        staged.takeBack()
        output.conclude(source)
    }

    override suspend fun runBegins() = staged.runBegins()

    override fun runEnds() {
        staged.runEnds()
        output.runEnds()
    }
}

/** The item [id] of a program that has [staged] records for [file]. */
internal fun netcdfItem(id: ItemName, file: Path, store: BlockStore, staged: StagedOutput): NetcdfItem {
    val end = if (staged.isRoot) NetcdfEnd(store, file, staged) else null
    return NetcdfItem(OutputItem(id, file, store, end), staged, store)
}
