package dev.cairn.examples.guide

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.ranks
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

// region code-under-test

/** Hands [value] to the right neighbour, and returns what came from the left one. */
suspend fun Communicator.passRight(value: Long): Long {
    send(target = (rank + 1) % size, tag = 1, bytesOf(value))
    return receive(source = (rank + size - 1) % size, tag = 1).getLong(0)
}

// endregion

// region first-test
class FirstTestSpec :
    FunSpec({
        test("every rank receives from its left neighbour") {
            ranks(4) { passRight(10L * rank) } shouldBe listOf(30L, 0L, 10L, 20L)
        }

        test("one rank alone is its own neighbour") {
            ranks(1) { passRight(7) } shouldBe listOf(7L)
        }
    })

// endregion
