package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.copyArrays
import dev.cairn.benchmarks.baseline.writeLocalArrays
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Goal
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.DoubleBuffer
import java.nio.file.Path

/** How far a save has come when the program goes on, and a job that brings the bare arrays as far. */
internal interface Tier {
    /** What the job is called. */
    val bareName: String

    /** For the time until the program goes on, in times of the job. */
    val ofBareJobs: Goal?

    /** How many ranks write for those of the field; 0 if these write for themselves. */
    val dedicatedCount: Int get() = 0

    fun options(common: CheckpointOptions): CheckpointOptions

    fun runBareJob()

    /** Checks what the job has done, and takes it back. */
    fun settle()
}

/** The state is copied into the memory of the process. */
internal class CopyTier(private val arrays: List<DoubleArray>) : Tier {
    private val copies = arrays.map { ByteBuffer.allocateDirect(it.size * Double.SIZE_BYTES) }

    override val bareName = "a copy"
    override val ofBareJobs = AtMost(1.2)

    override fun options(common: CheckpointOptions) = CheckpointOptions(common) { wait = Wait.COPIED }

    override fun runBareJob() = copyArrays(arrays, copies)

    override fun settle() =
        arrays.zip(copies).forEach { (array, copy) ->
            check(copy.order(LITTLE_ENDIAN).asDoubleBuffer() == DoubleBuffer.wrap(array)) { "a copy is wrong" }
        }
}

/** The state is received by a rank that computes nothing. The bare job is a copy, as there is no other rank without Cairn. */
internal class DedicatedTier(arrays: List<DoubleArray>) : Tier by CopyTier(arrays) {
    override val ofBareJobs = null
    override val dedicatedCount = 1
}

/** The state is complete on the disks of the [hosts], each of which drains [drainRate] bytes in a second, or as many as it can. */
internal class LocalTier(
    private val arrays: List<DoubleArray>,
    private val hosts: SimulatedHosts,
    private val piece: Int,
    private val drainRate: Long?,
) : Tier {
    private val files = hosts.files
    private val bareFiles = hosts.disks.map { it.resolve("bare") }

    override val bareName = "bare files"
    override val ofBareJobs = AtMost(1.25)

    override fun options(common: CheckpointOptions) =
        CheckpointOptions(common) {
            wait = Wait.LOCAL
            local = hosts.local
            drainRate = this@LocalTier.drainRate
        }

    override fun runBareJob() = writeLocalArrays(arrays, bareFiles, files, piece)

    override fun settle() =
        bareFiles.forEachIndexed { index, path ->
            files.requireCells(path, arrays[index])
            files.delete(path)
        }
}
