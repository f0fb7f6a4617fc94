package dev.cairn.examples.guide

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allGather
import dev.cairn.ranks.ranks
import dev.cairn.ranks.receive
import dev.cairn.ranks.send
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.Serializable

// region messages

/** A rank's description of itself. */
@Serializable
private data class Load(val rank: Int, val cells: List<Long>)

/** Sends an array around a ring, and a value to all ranks. */
private suspend fun Communicator.exchange(): List<Load> {
    send((rank + 1) % size, 7, doubleArrayOf(1.5 * rank))
    val (before) = receive<DoubleArray>((rank + size - 1) % size, 7)
    return allGather(Load(rank, listOf(before.toLong())))
}
// endregion

class MessagesSpec :
    FunSpec({
        test("arrays and values are sent as they are") {
            ranks(3) { exchange() shouldBe listOf(Load(0, listOf(3)), Load(1, listOf(0)), Load(2, listOf(1))) }
        }
    })
