package dev.cairn.mpi

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer

private const val TAG = 7
private const val LARGEST = Int.MAX_VALUE - 16

/** Messages for which the Java heap has no room: the parts come from an MPI of this spec. */
class MpiInboxSpec :
    FunSpec({
        test("a message without room is received to its end, is told once, and lets later ones arrive") {
            val comm = ArrivingParts(LARGEST, 1_000)
            val parts = MpiParts()
            val inbox = MpiInbox(MpiPort(comm), parts)

            shouldThrow<OutOfMemoryError> { inbox.poll(1, TAG, TAG) }.message shouldBe
                "rank 0 has no room in the Java heap for a message of $LARGEST bytes from rank 1. " +
                "Give each process more with -Xmx."
            inbox.poll(1, TAG, TAG).shouldNotBeNull().remaining() shouldBe 1_000
            inbox.poll(1, TAG, TAG) shouldBe null
        }
    })

/** Messages of these sizes from rank 1, part after part; their bytes are not copied. */
private class ArrivingParts(vararg sizes: Int) : MpiComm {
    private val arriving = sizes.asSequence().flatMap(::partsOf).iterator()
    private var next: Part? = null

    private class Part(val message: Int?, val byteCount: Int)

    /** The first one has a header, with the size of the message. */
    private fun partsOf(size: Int): Sequence<Part> {
        val first = minOf(size, MpiParts.PART_SIZE - MpiParts.HEADER_SIZE)
        val others = generateSequence(size - first) { it - MpiParts.PART_SIZE }.takeWhile { it > 0 }
        return sequenceOf(Part(size, first + MpiParts.HEADER_SIZE)) +
            others.map { Part(null, minOf(it, MpiParts.PART_SIZE)) }
    }

    override fun rank() = 0

    override fun size() = 2

    override fun largestTag() = Int.MAX_VALUE

    override fun probe(source: Int, tag: Int): MpiComm.Arrival? {
        if (next == null && arriving.hasNext()) next = arriving.next()
        return next?.let { MpiComm.Arrival(1, TAG, it.byteCount) }
    }

    override fun receive(part: ByteBuffer, arrived: MpiComm.Arrival): MpiComm.Transfer {
        checkNotNull(next).message?.let { part.putInt(0, TAG).putInt(Int.SIZE_BYTES, it) }
        next = null
        return MpiComm.Transfer { true }
    }

    override fun send(part: ByteBuffer, byteCount: Int, target: Int, tag: Int) = error("nothing is sent")

    override fun abort(exitCode: Int) = error("nobody ends the job")

    override fun free() = Unit

    override fun isMpiFinalized() = false

    override fun processorName() = "vm"
}
