package dev.cairn.comm

import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointException.Details
import dev.cairn.failure.CheckpointExceptionKinds
import dev.cairn.failure.RankFailure
import dev.cairn.failure.RemoteFailure
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf

/** What processes tell each other of failures. */
class FailureTextSpec :
    FunSpec({
        fun told(cause: Throwable): RankFailure =
            decodeFailures(joined(encode(RankFailure(2, "node1", cause)), encode(null)), own = null).single()

        test("every kind of CheckpointException arrives with its type, message and facts") {
            val kinds = CheckpointException::class.java.permittedSubclasses
            for (kind in kinds) {
                withClue("CheckpointException.${kind.simpleName} needs an entry in CheckpointExceptionKinds") {
                    val original =
                        CheckpointExceptionKinds.of(
                            kind.simpleName,
                            Details("what – where", listOf("a", "", "b")),
                        )
                    val failure = told(original.shouldBeInstanceOf<CheckpointException>())
                    failure.cause.javaClass shouldBe kind
                    failure.cause.message shouldBe "what – where"
                    (failure.cause as CheckpointException).facts shouldBe listOf("a", "", "b")
                    failure.rank shouldBe 2
                    failure.host shouldBe "node1"
                }
            }
        }

        test("any other exception arrives as its text") {
            val cause = told(IllegalStateException("no mesh")).cause.shouldBeInstanceOf<RemoteFailure>()
            cause.toString() shouldBe "java.lang.IllegalStateException: no mesh"
        }

        test("what is long arrives cut") {
            val facts = List(1000) { "x".repeat(10_000) }
            val told =
                told(
                    checkNotNull(CheckpointExceptionKinds.of("DamagedOnly", Details("m".repeat(10_000), facts))),
                ).cause
            told.message!!.length shouldBe 4000
            (told as CheckpointException).facts shouldHaveSize 100
            told.facts.forEach { it.length shouldBe 4000 }
        }

        test("a rank's own failure stays the object that it is") {
            val own = RankFailure(1, "node0", IllegalStateException("no mesh"))
            decodeFailures(joined(encode(RankFailure(0, "node0", Exception())), encode(own)), own)[1] shouldBe own
        }
    })
