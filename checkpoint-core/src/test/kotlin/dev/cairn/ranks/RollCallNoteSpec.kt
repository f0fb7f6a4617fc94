package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.event.RanksMissingException.Absentee
import dev.cairn.event.RollCall
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf

/** What processes tell each other in a roll call. */
class RollCallNoteSpec :
    FunSpec({
        val absentees = listOf(Absentee(1, "node1", "in 'save'"), Absentee(4, "", ""))
        val answer = RollCallNote.Answer(3, "0/7/12", true, 6, "in 'barrier'", mapOf(1 to "heard of", 2 to "ä"))
        val verdict = RollCallNote.Verdict(2, 7, 1L shl 40, RollCall("barrier", 3, absentees, "the limit has passed"))

        test("a question arrives as it was asked") {
            val found = decodeNote(RollCallNote.Question(5, -7, 1L shl 40).encode())
            found.shouldBeInstanceOf<RollCallNote.Question>().id shouldBe "5/-7/${1L shl 40}"
        }

        test("an answer arrives as it was given") {
            val found = decodeNote(answer.encode()).shouldBeInstanceOf<RollCallNote.Answer>()
            found.sender shouldBe 3
            found.id shouldBe "0/7/12"
            found.hasCome shouldBe true
            found.awaited shouldBe 6
            found.place shouldBe "in 'barrier'"
            found.sightings shouldBe mapOf(1 to "heard of", 2 to "ä")
        }

        test("a verdict arrives as it was found") {
            val found = decodeNote(verdict.encode()).shouldBeInstanceOf<RollCallNote.Verdict>()
            listOf(found.sender, found.tag, found.number) shouldBe listOf(2, 7, 1L shl 40)
            found.rollCall.toString() shouldBe verdict.rollCall.toString()
        }

        test("a note that is cut anywhere is refused") {
            for (note in listOf(answer, verdict)) {
                val bytes = note.encode()
                for (size in 0 until bytes.remaining()) {
                    shouldThrow<CallsDifferException> { decodeNote(bytes.duplicate().limit(size)) }
                }
            }
        }
    })
