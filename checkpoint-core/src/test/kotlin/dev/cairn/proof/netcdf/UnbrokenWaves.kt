package dev.cairn.proof.netcdf

import dev.cairn.comm.plan.RankPlan
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer

/** The file of a program that came to its end at once, to which others are compared. */
internal class UnbrokenWaves {
    private val disk = SimulatedDisk().withParent().also { runBlocking { Waves().run(it, RankPlan(2)) } }
    private val layout: NetcdfLayout = NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.layout() }
    private val bytes: ByteBuffer = ByteBuffer.wrap(disk.host("any").bytesOf(Waves.FILE))

    /** How the file that a program left at its end differs; null if it does not. */
    fun flawOfEnd(other: SimulatedDisk): String? {
        val found = ByteBuffer.wrap(other.host("any").bytesOf(Waves.FILE))
        return if (found == bytes) null else "the file differs from byte ${bytes.mismatch(found)} on"
    }

    /** How the records that count in a file differ, while the program is under way; null if they do not. */
    fun flawOfRecords(other: SimulatedDisk): String? {
        val store = other.host("any")
        if (!store.exists(Waves.FILE)) return null
        val found = ByteBuffer.wrap(store.bytesOf(Waves.FILE))
        if (found.remaining() < layout.headerSize()) return null
        val count = found.getInt(RECORD_COUNT_OFFSET)
        if (count == 0) return null
        val end = layout.size(count.toLong()).toInt()
        if (found.remaining() < end) return "$count records count, of $end bytes, but the file has ${found.remaining()}"
        val difference = recordsOf(found, end).mismatch(recordsOf(bytes, end))
        return if (difference < 0) null else "$count records count, but byte $difference behind their number differs"
    }

    private fun recordsOf(
        file: ByteBuffer,
        end: Int,
    ) = file.slice(BEHIND_RECORD_COUNT, end - BEHIND_RECORD_COUNT)

    private companion object {
        /** Of CDF-2, where it has four bytes. */
        const val RECORD_COUNT_OFFSET = 4
        const val BEHIND_RECORD_COUNT = 8
    }
}
