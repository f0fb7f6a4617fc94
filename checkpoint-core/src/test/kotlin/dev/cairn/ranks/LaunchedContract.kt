package dev.cairn.ranks

import dev.cairn.ranks.Communicator.Checks.SIZES
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import kotlin.coroutines.ContinuationInterceptor
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/**
 * The contract of communicators among processes that a launcher has started. Rank 0 prints a line for each promise that
 * was kept; the first one that was not ends all processes. An argument names a provider that the service loader does not know.
 */
internal fun main(args: Array<String>) {
    val provider = args.firstOrNull()?.let(::providerOf) ?: TransportChoice.ofThisProcess().provider
    provider.open().use { transport ->
        receiveInterrupted(transport)
        runBlocking { keepPromises(transport) }
    }
}

private fun providerOf(name: String) = Class.forName(name).getDeclaredConstructor().newInstance() as TransportProvider

/** An interrupt is for the code that runs the rank; the transport still works after it, and does not clear it. */
private fun receiveInterrupted(transport: Transport) {
    Thread.currentThread().interrupt()
    transport.send(transport.rank, 1, pattern(10, transport.rank))
    transport.receive(transport.rank, 1, 1.minutes.inWholeNanoseconds) shouldBe pattern(10, transport.rank)
    transport.receive(transport.rank, 1, 1.milliseconds.inWholeNanoseconds) shouldBe null
    Thread.interrupted() shouldBe true
    if (transport.rank == 0) println("kept: an interrupted rank still receives")
}

private suspend fun keepPromises(transport: Transport) {
    val thread = checkNotNull(currentCoroutineContext()[ContinuationInterceptor])
    val world = TransportCommunicator.connect(transport, SIZES, 1.minutes, thread)
    for ((promise, body) in communicatorPromises(world.size) + transportPromises()) {
        try {
            world.body()
            world.barrier()
        } catch (broken: Throwable) {
            broken.printStackTrace()
            world.abort("rank ${world.rank} of ${world.size}: not kept: $promise: $broken")
        }
        if (world.rank == 0) println("kept: $promise")
    }
}

/** What a transport owes that cuts messages into pieces, wherever the cuts may be. */
private fun transportPromises(): Map<String, suspend Communicator.() -> Unit> =
    buildMap {
        for (size in listOf((1 shl 20) - 9, (1 shl 20) - 8, (1 shl 20) - 7, (1 shl 20) + 1, 5_000_003)) {
            put("a payload of $size bytes arrives as it was") {
                send((rank + 1) % this.size, 3, pattern(size, rank))
                send((rank + 1) % this.size, 3, pattern(1, rank))
                val previous = (rank + this.size - 1) % this.size
                receive(previous, 3) shouldBe pattern(size, previous)
                receive(previous, 3) shouldBe pattern(1, previous)
            }
        }
        put("direct payloads arrive, too") {
            val direct = ByteBuffer.allocateDirect(100_000).put(pattern(100_000, rank)).flip()
            allGather(direct).forEachIndexed { source, payload -> payload shouldBe pattern(100_000, source) }
        }
        put("ten thousand messages that wait to be received arrive in their order") {
            val next = (rank + 1) % size
            repeat(10_000) { send(next, it % 3, bytesOf(it.toLong())) }
            for (tag in 0..2) {
                for (number in tag until 10_000 step 3) {
                    receive((rank + size - 1) % size, tag).getLong(0) shouldBe number.toLong()
                }
            }
        }
    }

private fun pattern(size: Int, rank: Int): ByteBuffer = ByteBuffer.wrap(ByteArray(size) { (it * 31 + rank).toByte() })
