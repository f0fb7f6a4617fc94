package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.payload.Payload
import java.nio.ByteBuffer

/** One rank's bytes, buffer by buffer. */
internal class Share(rank: Int, job: Job) {
    private val payload = Payload(job.bufferSize, Math.multiplyExact(job.rankCount, job.bufferCount))

    /** The buffers of all ranks have consecutive numbers, so that bytes in a wrong place are detected. */
    private val numbers = rank * job.bufferCount until (rank + 1) * job.bufferCount

    fun writeAll(write: (ByteBuffer) -> Unit) {
        for (number in numbers) write(payload.piece(number))
    }

    /** Fails unless [read] fills each buffer with bytes that [require] accepts as those of its number. */
    fun readAll(require: Payload.(Int) -> Unit, read: (ByteBuffer) -> Unit) {
        for (number in numbers) {
            read(payload.room())
            payload.require(number)
        }
    }
}
