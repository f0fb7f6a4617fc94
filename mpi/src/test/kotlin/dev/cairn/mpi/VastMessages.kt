package dev.cairn.mpi

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.everyRank
import java.lang.management.BufferPoolMXBean
import java.lang.management.ManagementFactory
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** With its header it is of 2^31 bytes: one more than fits into an int. */
private const val LARGEST_SIZE = Int.MAX_VALUE - 7

/** Two of them are more than 2^31 bytes. */
private const val HALF_SIZE = 1_200_000_000

/** Sends the largest message that there can be, and then lets two ranks bring more than 2 GiB together. */
internal suspend fun main() {
    everyRank(2) {
        if (rank == 0) sendLargest() else println("received: ${receive(source = 0, tag = 1).describe(writer = 0)}")
        val halves = gather(root = 0, payload(HALF_SIZE))
        halves.forEachIndexed { writer, half -> println("gathered: ${half.describe(writer)}") }
    }
}

private suspend fun Communicator.sendLargest() {
    send(target = 1, tag = 1, payload(LARGEST_SIZE))
    println("direct memory: ${directMemory()}")
}

/** Each number tells its place and its writer. */
private fun Communicator.payload(size: Int): ByteBuffer {
    val bytes = ByteBuffer.allocate(size).order(LITTLE_ENDIAN)
    for (index in 0 until size step Long.SIZE_BYTES) bytes.putLong(index, number(rank, index))
    return bytes
}

private fun ByteBuffer.describe(writer: Int): String {
    order(LITTLE_ENDIAN)
    val wrong = (0 until remaining() step Long.SIZE_BYTES).count { getLong(it) != number(writer, it) }
    return "${remaining()} bytes of rank $writer, $wrong numbers wrong"
}

private fun number(writer: Int, index: Int): Long = (index.toLong() shl 8) + writer

private fun directMemory(): Long =
    ManagementFactory.getPlatformMXBeans(BufferPoolMXBean::class.java).first { it.name == "direct" }.totalCapacity
