package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.comm.bytesOf
import dev.cairn.comm.longsOf
import java.nio.ByteBuffer

/** What rank 0 must hear of each rank's items. */
internal class Summary(
    val items: List<Part>,
) {
    class Part(
        val digest: CellDigest,
        val elementCount: Long,
        val byteCount: Long,
    )

    fun toPayload(): ByteBuffer =
        bytesOf(
            *items
                .flatMap { listOf(it.digest.first, it.digest.second, it.elementCount, it.byteCount) }
                .toLongArray(),
        )

    companion object {
        private const val NUMBERS = 4

        fun of(written: List<WrittenItem>) = Summary(written.map { Part(it.digest, it.elementCount, it.byteCount) })

        fun of(payload: ByteBuffer): Summary {
            val numbers = longsOf(payload)
            return Summary(
                List(numbers.size / NUMBERS) {
                    val at = it * NUMBERS
                    Part(CellDigest(numbers[at], numbers[at + 1]), numbers[at + 2], numbers[at + 3])
                },
            )
        }
    }
}
