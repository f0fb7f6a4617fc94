package dev.cairn.ranks

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.NestedCallException
import dev.cairn.event.RankDiffersException
import dev.cairn.event.RankFailedException
import dev.cairn.event.RemoteFailure
import dev.cairn.event.checkpointException
import dev.cairn.sion.store.DiskException
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path

/** What processes tell each other of failures. */
class FailureTextSpec :
    FunSpec({
        fun told(cause: Throwable): RankFailedException.Failure =
            decodeFailures(
                joined(encode(RankFailedException.Failure(2, "node1", cause)), encode(null)),
                own = null,
            ).single()

        fun exceptionOf(type: Class<*>, details: Details) =
            checkpointException(type.simpleName, details).shouldBeInstanceOf<CheckpointException>()

        test("every type of CheckpointException arrives with its data") {
            for (type in CheckpointException::class.java.permittedSubclasses) {
                for (reason in listOf(null) + Reason.entries) {
                    val details =
                        Details("what – where", listOf("a", "", "b"), Path.of("dir", "file"), reason, listOf("c"))
                    val failure = told(exceptionOf(type, details))
                    failure.cause.javaClass shouldBe type
                    (failure.cause as CheckpointException).details shouldBe details
                    failure.rank shouldBe 2
                    failure.host shouldBe "node1"
                }
            }
            val bare = Details("what")
            (told(Damaged(bare)).cause as CheckpointException).details shouldBe bare
        }

        test("an error of a disk arrives as such, and so does a difference between ranks") {
            val full = DiskException(DiskException.Trouble.NO_ROOM, Path.of("data.sion"), "no space is left.")
            with(told(full).cause.shouldBeInstanceOf<DiskException>()) {
                listOf(trouble(), file, message) shouldBe listOf(full.trouble(), full.file, full.message)
            }
            val differs = RankDiffersException(2, "saves", "rank 0 restores", "Call the same.")
            with(told(differs).cause.shouldBeInstanceOf<RankDiffersException>()) {
                listOf(own, ofRoot, advice, message) shouldBe
                    listOf("saves", "rank 0 restores", "Call the same.", differs.message)
            }
        }

        test("any other exception arrives as its text") {
            val cause = told(IllegalStateException("no mesh")).cause.shouldBeInstanceOf<RemoteFailure>()
            cause.toString() shouldBe "java.lang.IllegalStateException: no mesh"
        }

        test("the sentence of a failed rank has the class of a program's exception, and none of Cairn's") {
            val nested = NestedCallException("call it before or after.")
            for ((cause, sentence) in listOf(
                nested to "call it before or after.",
                Damaged(Details("the box is missing")) to "the box is missing",
                IllegalStateException("no mesh") to "java.lang.IllegalStateException: no mesh",
                IllegalStateException() to "java.lang.IllegalStateException",
            )) {
                "${RankFailedException.Failure(2, "node1", cause)}" shouldBe "rank 2 on node1 failed: $sentence"
                "${told(cause)}" shouldBe "rank 2 on node1 failed: $sentence"
            }
        }

        test("what is long arrives cut") {
            val texts = List(1000) { "x".repeat(10_000) }
            val told = told(Damaged(Details("m".repeat(10_000), texts, flaws = texts))).cause as CheckpointException
            told.message!!.length shouldBe 4000
            listOf(told.items, told.flaws).forEach { some ->
                some shouldHaveSize 100
                some.forEach { it.length shouldBe 4000 }
            }
        }

        test("a rank's own failure stays the object that it is") {
            val own = RankFailedException.Failure(1, "node0", IllegalStateException("no mesh"))
            decodeFailures(
                joined(encode(RankFailedException.Failure(0, "node0", Exception())), encode(own)),
                own,
            )[1] shouldBe
                own
        }
    })
