package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.payload.Payload
import java.nio.ByteBuffer
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * The buffers from which the ranks of a process write, and into which they read. There are as many as ranks use at the same time,
 * since memory may not suffice for a buffer of each rank. Any thread may call it.
 */
internal class Payloads(private val job: Job) {
    private val idle = ConcurrentLinkedQueue<Payload>()

    fun <T> lend(use: (Payload) -> T): T {
        val payload = idle.poll() ?: Payload(job.bufferSize, Math.multiplyExact(job.rankCount, job.bufferCount))
        return use(payload).also { idle.add(payload) }
    }
}

/** One rank's bytes, buffer by buffer. */
internal class Share(rank: Int, job: Job, private val payloads: Payloads) {
    /** The buffers of all ranks have consecutive numbers, so that bytes in a wrong place are detected. */
    private val numbers = rank * job.bufferCount until (rank + 1) * job.bufferCount

    fun writeAll(write: (ByteBuffer) -> Unit): Unit = payloads.lend { for (number in numbers) write(it.piece(number)) }

    /** Fails unless [read] fills each buffer with bytes that satisfy [proof]. */
    fun readAll(proof: Proof, read: (ByteBuffer) -> Unit): Unit =
        payloads.lend { payload ->
            for (number in numbers) {
                read(payload.room())
                proof.require(payload, number)
            }
        }
}

/** The checks of bytes that were read. */
internal enum class Proof(val require: Payload.(Int) -> Unit) {
    /** The number of a buffer alone, which is cheap enough for the timed part of all contestants. */
    NUMBERS(Payload::requireNumber),

    /** Every byte of a buffer. */
    BYTES(Payload::requirePiece),
}
