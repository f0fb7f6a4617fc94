package dev.cairn.netcdf

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.comm.ROOT
import dev.cairn.contents.SnapshotMemory
import dev.cairn.failure.CheckpointException
import dev.cairn.item.Capture
import dev.cairn.item.FileItem
import dev.cairn.item.ItemSource
import dev.cairn.item.OutputEnd
import dev.cairn.item.OutputItem
import dev.cairn.item.OutputMark
import dev.cairn.item.OutputOwner
import dev.cairn.item.PreparedItem
import dev.cairn.item.mark
import dev.cairn.sion.netcdf.NetcdfException
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.netcdf.Section
import dev.cairn.sion.netcdf.Values
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.LostOutputs
import java.io.IOException
import java.nio.ByteBuffer
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
    override val terms get() = output.terms + staged.plan.inWords

    override fun ownedBy(owner: OutputOwner) {
        output.ownedBy(owner)
        staged.ownedBy(owner)
    }

    override suspend fun prepare() = staged.flush()

    override suspend fun prepareToGoOn() = staged.gather()

    override fun capture(rank: Int): Capture = WritingCapture(output.capture(rank), staged.batch)

    /** Before the commit, the [batch] that was gathered before the save must be durable in the file, and count. */
    private inner class WritingCapture(
        private val mark: Capture,
        private val batch: Batch?,
    ) : Capture by mark {
        override fun force() {
            batch?.write()
        }

        override fun complete() {
            batch?.let(staged::count)
        }

        override fun copy(memory: SnapshotMemory): Capture? = mark.copy(memory)?.let { WritingCapture(it, batch) }
    }

    override fun restore(source: ItemSource): CellDigest {
        if (source.rank == ROOT && source.lostOutputs == LostOutputs.REFUSE) requireDeclared()
        return output.restore(source)
    }

    /** What is declared must be what the file has, or its bytes would mean something else from now on. */
    private fun requireDeclared() {
        if (!store.exists(file)) return
        val difference =
            try {
                NetcdfReader.open(store, file).use { differenceOf(it) }
            } catch (damaged: NetcdfException) {
                "is no whole NetCDF file: ${damaged.message}"
            } catch (failure: IOException) {
                throw CheckpointException.UnreadableOutput(name, file, failure)
            }
        if (difference != null) throw CheckpointException.OutputDeclaredAnew(name, file, difference)
    }

    private fun differenceOf(found: NetcdfReader): String? {
        val declared = staged.plan.layout
        if (found.layout().header(0) != declared.header(0)) {
            val (its, own) = found.spec().inWords() to declared.spec().inWords()
            return if (its ==
                own
            ) {
                "has other attributes than the program declares"
            } else {
                "has $its, and the program declares $own"
            }
        }
        val changed = staged.plan.constants.find { it.storedIn(found) != it.bytes }
        return changed?.let { "has other values of the constant '${it.variable.name}' than the program declares" }
    }

    private fun Put.storedIn(file: NetcdfReader): ByteBuffer =
        ByteBuffer.allocate(bytes.capacity()).also {
            file.read(variable.name, Section.WHOLE, Values.ofCells(variable.variable.type(), it))
        }

    override fun conclude(source: ItemSource) {
        staged.continueFrom(staged.plan.recordsIn(OutputMark.decode(source.bytes(ROOT)).length))
        output.conclude(source)
    }

    override suspend fun runBegins() = staged.runBegins()
}

/** The item [name] of a program that has [staged] records for [file]. */
internal fun netcdfItem(
    name: String,
    key: Int,
    formerNames: List<String>,
    file: Path,
    store: BlockStore,
    staged: StagedOutput,
): NetcdfItem {
    val end = if (staged.isRoot) NetcdfEnd(store, file, staged) else null
    val head = staged.plan.layout.headerSize()
    return NetcdfItem(OutputItem(name, key, formerNames, file, store, end, head), staged, store)
}

/** The file of an output on rank 0, which makes it and cuts it back. */
internal class NetcdfEnd(
    private val store: BlockStore,
    private val path: Path,
    private val staged: StagedOutput,
) : OutputEnd {
    private var owner: OutputOwner = OutputOwner.NoStore
    private val plan get() = staged.plan

    override fun ownedBy(owner: OutputOwner) {
        this.owner = owner
    }

    /** All ranks have flushed together. */
    override fun flush() = Unit

    override fun mark(file: BlockFile): OutputMark {
        val batch = staged.batch
        if (batch != null) return OutputMark(plan.layout.size(batch.records.last + 1), CellDigest.NONE)
        requireOwn(file.size())
        return file.mark(file.size(), DigestFormula.NEWEST, plan.layout.headerSize())
    }

    private fun requireOwn(size: Long) {
        val own = plan.layout.size(staged.written)
        if (size == own) return
        throw IOException(
            "$path: the file has $size bytes, but this program wrote $own: another program writes into it. Find and " +
                "end that program, and start this one again: that cuts the file back",
        )
    }

    /** Lowers the number of records. */
    override fun prepareCut(
        file: Path,
        length: Long,
    ) = NetcdfWriter.open(store, file).use {
        if (it.layout().header(0) != plan.layout.header(0)) {
            throw IOException("$path has another header than the program declares. Declare what the file has")
        }
        it.cutBack(plan.recordsIn(length))
        it.force()
    }

    override fun continueFrom(length: Long) = Unit

    override fun beginAnew() {
        owner.requireHeld()
        if (store.exists(path)) store.delete(path)
        NetcdfWriter.create(store, path, plan.layout).use { file ->
            plan.constants.forEach { file.write(it.variable.name, Section.WHOLE, it.values) }
            file.force()
        }
        store.forceDirectory(path.toAbsolutePath().parent)
        staged.beginsAnew()
    }
}
