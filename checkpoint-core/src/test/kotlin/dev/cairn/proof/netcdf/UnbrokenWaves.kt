package dev.cairn.proof.netcdf

import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer

/** The file of a program that took this [course] to its end at once, to which others are compared. */
internal class UnbrokenWaves(cells: Cells = Cells.BOTH, course: String = "1".repeat(20)) {
    private val disk = SimulatedDisk().withParent()
    private val layout: NetcdfLayout
    private val bytes: ByteBuffer

    init {
        val waves = Waves(until = course.length.toLong(), cells = cells, rise = { course[it.toInt()].digitToInt() })
        runBlocking { waves.run(disk, RankPlan(2, Schedule.Deterministic(seed = 1)), "--every", "never") }
        layout = NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.layout() }
        bytes = ByteBuffer.wrap(disk.host("any").bytesOf(Waves.FILE))
    }

    val size: Int get() = bytes.limit()

    /** How the file that a program left at its end differs; null if it does not. */
    fun flawOfEnd(other: SimulatedDisk): String? {
        val found = ByteBuffer.wrap(other.host("any").bytesOf(Waves.FILE))
        return if (found == bytes) null else "the file differs from byte ${bytes.mismatch(found)} on"
    }

    /** How the records that count in a file differ, while the program is under way; null if they do not. */
    fun flawOfRecords(other: SimulatedDisk): String? = other.host("any").wavesOrNull()?.let(::flawOfRecords)

    /** As above, of a file with the bytes that were [found]. */
    fun flawOfRecords(found: ByteBuffer): String? {
        if (found.remaining() < layout.headerSize()) return null
        val count = found.getInt(RECORD_COUNT_OFFSET)
        if (count == 0) return null
        val end = layout.size(count.toLong()).toInt()
        if (found.remaining() < end) return "$count records count, of $end bytes, but the file has ${found.remaining()}"
        if (bytes.remaining() < end) return "$count records count, but an unbroken run has fewer"
        val difference = recordsOf(found, end).mismatch(recordsOf(bytes, end))
        return if (difference < 0) null else "$count records count, but byte $difference behind their number differs"
    }

    private fun recordsOf(file: ByteBuffer, end: Int) = file.slice(BEHIND_RECORD_COUNT, end - BEHIND_RECORD_COUNT)

    private companion object {
        /** Of CDF-2, where it has four bytes. */
        const val RECORD_COUNT_OFFSET = 4
        const val BEHIND_RECORD_COUNT = 8
    }
}

/** The bytes of the file of [Waves]; null if there is none. */
internal fun BlockStore.wavesOrNull(): ByteBuffer? =
    if (exists(Waves.FILE)) ByteBuffer.wrap(bytesOf(Waves.FILE)) else null
