package dev.cairn.comm

import dev.cairn.failure.RankFailedException
import dev.cairn.ranks.ranks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer

class AnswersSpec :
    FunSpec({
        test("an answer arrives on all ranks, also an empty one") {
            ranks(3) {
                longsOf(answerFrom(ROOT, "count") { bytesOf(7, -1) }) shouldBe longArrayOf(7, -1)
                answerFrom(ROOT, "count") { bytesOf(7, 258).position(8) }.getLong(0) shouldBe 258
                answerFrom(ROOT, "count") { ByteBuffer.allocate(0) }.remaining() shouldBe 0
            }
        }

        test("all ranks learn why there is no answer") {
            ranks(3) {
                shouldThrow<RankFailedException> { answerFrom(ROOT, "count") { error("out of numbers") } }
                    .message shouldContain "out of numbers"
            }
        }
    })
