package dev.cairn.output

import dev.cairn.item.OutputEnd
import dev.cairn.item.OutputMark
import dev.cairn.item.OutputOwner
import dev.cairn.item.mark
import dev.cairn.item.replace
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.netcdf.NetcdfException
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.stripe.Hyperslab
import java.io.IOException
import java.nio.file.Path

/** The file of an output on rank 0, which makes it and cuts it back. */
internal class NetcdfEnd(private val store: BlockStore, private val path: Path, private val staged: StagedOutput) :
    OutputEnd {
    private var owner: OutputOwner = OutputOwner.NoStore
    private val plan get() = staged.plan

    override val head get() = plan.layout.headerSize()

    override fun ownedBy(owner: OutputOwner) {
        this.owner = owner
    }

    /** All ranks have flushed together. Without the file, a save would count none of its records. */
    override fun flush() = store.requireGrowing(path)

    override fun mark(file: BlockFile): OutputMark {
        if (staged.batch != null) return checkNotNull(staged.comingMark) { "$path has no mark. Please report this" }
        val own = plan.layout.size(staged.written)
        requireOwn(file.size(), own)
        return file.mark(own, DigestFormula.NEWEST, head)
    }

    /** A flush that failed may have left bytes of records that do not count. */
    private fun requireOwn(size: Long, own: Long) {
        if (size == own || (size > own && staged.isUnsettled)) return
        throw IOException(
            "$path: the file has $size bytes, but this program wrote $own: another program writes into it. Find and " +
                "end that program, and start this one again: that cuts the file back",
        )
    }

    /** A crash can leave records that are in the file, but do not count. */
    override fun otherLength(file: Path, length: Long): String? {
        val saved = plan.recordsIn(length)
        return try {
            NetcdfReader.openStrict(store, file).use {
                val counted = it.recordCount()
                if (counted < saved) "counts only $counted records, not $saved" else plan.differenceFrom(it)
            }
        } catch (damaged: NetcdfException) {
            "is no whole NetCDF file: ${damaged.message}"
        }
    }

    /** Lowers the number of records. */
    override fun prepareCut(file: Path, length: Long) =
        NetcdfWriter.open(store, file).use {
            owner.requireHeld()
            if (it.layout().header(0) != plan.layout.header(0)) {
                throw IOException("$path has another header than the program declares. Declare what the file has")
            }
            it.cutBack(plan.recordsIn(length))
            it.force()
        }

    /** The file has its name when its constants are durable, since a restart compares them. */
    override fun beginAnew() {
        store.replace(path) { prepared ->
            NetcdfWriter.create(store, prepared, plan.layout).use { file ->
                plan.constants.forEach { file.write(it.variable.name, Hyperslab.WHOLE, it.values) }
                file.force()
            }
            owner.requireHeld()
        }
        staged.beginsAnew()
    }
}
