package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.comm.bytesOf
import dev.cairn.comm.longsOf
import dev.cairn.multifile.task.payload
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/** What rank 0 must hear of each rank's items, and of the time that it took to write them. */
internal class Summary(
    val items: List<Part>,
    val time: Duration,
) {
    class Part(
        val digest: CellDigest,
        val elementCount: Long,
        val byteCount: Long,
        val hasMoved: Boolean,
    )

    fun toPayload(): ByteBuffer =
        bytesOf(
            time.inWholeNanoseconds,
            *items
                .flatMap {
                    listOf(
                        it.digest.first,
                        it.digest.second,
                        it.elementCount,
                        it.byteCount,
                        if (it.hasMoved) 1L else 0L,
                    )
                }.toLongArray(),
        )

    companion object {
        private const val NUMBERS = 5

        fun of(
            written: List<WrittenItem>,
            time: Duration,
        ) = Summary(written.map { Part(it.digest, it.elementCount, it.byteCount, it.hasMoved) }, time)

        fun of(payload: ByteBuffer): Summary {
            val numbers = longsOf(payload)
            val items =
                List(numbers.size / NUMBERS) {
                    val at = 1 + it * NUMBERS
                    val digest = CellDigest(numbers[at], numbers[at + 1])
                    Part(digest, numbers[at + 2], numbers[at + 3], hasMoved = numbers[at + 4] != 0L)
                }
            return Summary(items, numbers[0].nanoseconds)
        }
    }
}

/** What rank 0 hears of each rank when it has written. */
internal class RankReport(
    val table: ByteBuffer,
    val summary: Summary,
) {
    fun toPayload(): ByteBuffer {
        val numbers = summary.toPayload()
        return payload(Int.SIZE_BYTES + table.remaining() + numbers.remaining()) {
            putInt(table.remaining()).put(table.duplicate()).put(numbers)
        }
    }

    companion object {
        fun of(payload: ByteBuffer): RankReport {
            val size = payload.getInt()
            val table = payload.slice(payload.position(), size).order(LITTLE_ENDIAN)
            return RankReport(table, Summary.of(payload.position(payload.position() + size).slice()))
        }
    }
}
