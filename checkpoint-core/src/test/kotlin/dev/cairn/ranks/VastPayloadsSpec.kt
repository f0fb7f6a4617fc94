package dev.cairn.ranks

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** What all ranks bring together may exceed 2 GiB; only one rank's payload must fit into a buffer. */
class VastPayloadsSpec :
    FunSpec({
        test("over messages, more than 2 GiB are gathered") {
            onVastNetwork { shouldBeFromAll(gather(root = 0, payloadOf(rank))) }
        }

        test("over messages, more than 2 GiB are gathered by all") {
            // In a ring, rank 0 hears of all ranks from its left neighbour, which begins with itself.
            val writers = (COUNT - 1 downTo 1).iterator()
            onVastNetwork({ writers.next() }) { shouldBeFromAll(allGather(payloadOf(rank))) }
        }

        test("over messages, more than 2 GiB go from all to all") {
            onVastNetwork { shouldBeFromAll(allToAll(List(size) { payloadOf(rank) })) }
        }

        // Ranks of one process keep copies of what they bring, so this takes a virtual machine with the heap for it.
        val chosen = Campaign.VAST_PAYLOADS.someOf(VastCall.entries)
        for (call in VastCall.entries) {
            test("among ranks of one process, more than 2 GiB are ${call.done}").config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(call in chosen) },
            ) {
                val java = "${ProcessHandle.current().info().command().get()}"
                val own = listOf("-Xmx6g", "-cp", System.getProperty("java.class.path"), VastCall::class.java.name)
                val process = ProcessBuilder(listOf(java) + own + call.name).redirectErrorStream(true).start()
                val output = process.inputReader().readText()
                withClue(output) { process.waitFor() shouldBe 0 }
            }
        }
    })

/** What ranks of one process do together, as a program. */
internal enum class VastCall(val done: String, private val body: suspend () -> Unit) {
    GATHER("gathered", {
        ranks(COUNT) { gather(root = 0, payloadOf(rank)).let { if (rank == 0) shouldBeFromAll(it) } }
    }),
    ALL_GATHER("gathered by all", {
        ranks(COUNT) { shouldBeFromAll(allGather(payloadOf(rank))) }
    }),
    ALL_TO_ALL("sent from all to all", {
        val few = 6
        val size = (TOTAL_SIZE / few / few).toInt()
        ranks(few) {
            val received = allToAll(List(few) { payloadOf(rank, size) })
            received.map { it.getLong(0) } shouldBe List(few) { it.toLong() }
            allReduce(received.sumOf { it.remaining().toLong() }, Long::plus) shouldBe few.toLong() * few * size
        }
    }),
    ;

    companion object {
        @JvmStatic
        fun main(args: Array<String>) = runBlocking { valueOf(args.single()).body() }
    }
}

private const val COUNT = 33
private const val PAYLOAD_SIZE = 64 shl 20
private const val TOTAL_SIZE = COUNT.toLong() * PAYLOAD_SIZE

/** All payloads overlap in here: rank r's begins at its own number. */
private val numbers: ByteBuffer by lazy {
    ByteBuffer.allocate(PAYLOAD_SIZE + COUNT * Long.SIZE_BYTES).order(LITTLE_ENDIAN).also { all ->
        repeat(COUNT) { all.putLong(it * Long.SIZE_BYTES, it.toLong()) }
    }
}

private fun payloadOf(rank: Int, size: Int = PAYLOAD_SIZE): ByteBuffer =
    numbers.slice(rank * Long.SIZE_BYTES, size).order(LITTLE_ENDIAN)

private fun shouldBeFromAll(payloads: List<ByteBuffer>) {
    payloads.map { it.getLong(0) } shouldBe List(COUNT) { it.toLong() }
    val total = payloads.sumOf { it.remaining().toLong() }
    total shouldBe TOTAL_SIZE
    total shouldBeGreaterThan Int.MAX_VALUE.toLong()
}

/** Rank 0 among ranks that are not there. What it hears is cut from [numbers], so it takes no memory. */
private suspend fun onVastNetwork(
    writerOf: (source: Int) -> Int = { it },
    body: suspend TransportCommunicator.() -> Unit,
) {
    val transport = VastTransport(writerOf)
    val communicator = TransportCommunicator.connect(transport)
    transport.isConnected = true
    communicator.body()
}

/** [writerOf] tells whose payload it is that comes next from a rank. */
private class VastTransport(private val writerOf: (source: Int) -> Int) : Transport {
    var isConnected = false

    override val rank = 0
    override val size = COUNT
    override val host = "node0"

    override fun send(target: Int, tag: Int, payload: ByteBuffer) = Unit

    override fun receive(source: Int, tag: Int, nanos: Long): ByteBuffer =
        if (isConnected) payloadOf(writerOf(source)) else bytesOf(host)

    override fun abort(reason: String): Unit = error(reason)

    override fun close() = Unit
}
