package dev.cairn.grid

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe

/** Words as the paper counts them, each below 2^32: its four of counter or result, and its two of key. */
private fun philox(counter: List<Long>, key: List<Long>): List<Long> {
    val low = counter[0] or (counter[1] shl 32)
    val high = counter[2] or (counter[3] shl 32)
    val halves = List(2) { Philox.half(it, low, high, key[0] or (key[1] shl 32)) }
    return halves.flatMap { listOf(it and 0xffffffffL, it ushr 32) }
}

private fun words(text: String): List<Long> = text.split(" ").map { it.toLong(16) }

@Tags(JDK_DEPENDENT)
class RandomStreamsSpec :
    FunSpec({
        test("the test vectors that were published with Philox4x32-10 come out") {
            philox(words("0 0 0 0"), words("0 0")) shouldBe words("6627e8d5 e169c58d bc57ac4c 9b00dbd8")
            philox(words("ffffffff ffffffff ffffffff ffffffff"), words("ffffffff ffffffff")) shouldBe
                words("408f276d 41c83b0e a20bc7c6 6d5451fd")
            philox(words("243f6a88 85a308d3 13198a2e 03707344"), words("a4093822 299f31d0")) shouldBe
                words("d16cfe09 94fdcceb 5001e420 24126ea1")
        }

        test("the seed is the key, and the counter is the id, half of the draw and the step") {
            withRandom { random ->
                repeat(1000) {
                    val (seed, id) = List(2) { random.nextLong() }
                    val step = random.nextLong(1L shl 32)
                    val draw = random.nextLong(1L shl 33)
                    val halves = listOf(id, seed).map { listOf(it and 0xffffffffL, it ushr 32) }
                    val expected = philox(halves[0] + listOf(draw / 2, step), halves[1])
                    val first = if (draw % 2 == 0L) 0 else 2
                    RandomStreams(seed).bits(id, step, draw) shouldBe (expected[first] or (expected[first + 1] shl 32))
                }
            }
        }

        test("uniform numbers are the upper 53 bits, and lie below 1") {
            val streams = RandomStreams(42)
            for (draw in 0L until 1000) {
                val expected = (streams.bits(7, 3, draw) ushr 11) / 9007199254740992.0
                streams.uniform(7, 3, draw) shouldBe expected
                (expected in 0.0..<1.0) shouldBe true
            }
        }

        test("normal numbers have the mean 0 and the variance 1") {
            val streams = RandomStreams(42)
            val numbers = DoubleArray(100_000) { streams.normal(it.toLong(), 1, 0) }
            numbers.average() shouldBe (0.0 plusOrMinus 0.02)
            numbers.map { it * it }.average() shouldBe (1.0 plusOrMinus 0.03)
        }

        test("steps and draws beyond the counter are refused") {
            val streams = RandomStreams(1)
            shouldThrow<IllegalArgumentException> { streams.bits(0, 1L shl 32, 0) }.message shouldBe
                "a step is from 0 to 4294967295, not 4294967296."
            shouldThrow<IllegalArgumentException> { streams.bits(0, 0, -1) }.message shouldBe
                "a draw is from 0 to 8589934591, not -1."
        }
    })
