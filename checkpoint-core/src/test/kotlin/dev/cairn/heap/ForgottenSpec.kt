package dev.cairn.heap

import dev.cairn.heap.Forgotten.Note
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe

class ForgottenSpec :
    FunSpec({
        fun found(place: String, path: String = place, count: Long = 1, note: Note = Note.NeverDeclared) =
            Forgotten(place, path, "true", "false", count, note)

        val other = setOf("Harbour.dredged")

        test("what is the same again is scratch if nothing else differs") {
            found("Harbour.isClosed").isScratch(emptySet()) shouldBe true
        }

        test("a single value that was not declared may be the same again by chance while anything else differs") {
            found("Harbour.isClosed").isScratch(other) shouldBe false
            found("Harbour.isClosed", note = Note.PerhapsDeclared(listOf("a"))).isScratch(other) shouldBe false
            found("Harbour.isClosed", "Harbour.isClosed[thread main]").isScratch(other) shouldBe false
        }

        test("arrays, collections, several values and what was declared are scratch if they are the same again") {
            found("Heat.next", "Heat.next[3]").isScratch(other) shouldBe true
            found("Heat.names", "Heat.names{\"a\"}").isScratch(other) shouldBe true
            found("Cell.flux", count = 2).isScratch(other) shouldBe true
            found("Heat.u", note = Note.Declared("u")).isScratch(other) shouldBe true
        }

        test("what still differs is no scratch") {
            found("Harbour.dredged").isScratch(other) shouldBe false
        }

        test("a local variable that a stack and a suspended function hold is told once, and fields each") {
            val onStack = found("local variable name of X.live", "(local variable name of X.live)")
            val inObject = found("local variable name of X.live", "(local variable X.live.1 of X.live).name")
            val otherCall = onStack.copy(unbroken = "null")
            val fields = listOf(found("X.a"), found("X.a", "X.b.a"))
            (listOf(onStack, inObject, otherCall) + fields).onceEach() shouldContainExactly
                listOf(onStack, otherCall) + fields
        }

        test("a place of several ranks is told once, with the first values, and another one each") {
            val (first, second) = List(2) { found("X.a", "X.a[0]", count = 2L + it).copy(rank = it) }
            val elsewhere = second.copy(path = "X.a[3]", unbroken = "null")
            listOf(first, second.copy(unbroken = "null"), elsewhere).onceForRanks() shouldContainExactly
                listOf(first.copy(count = 5), elsewhere)
            val calls = List(2) { found("X.a").copy(unbroken = "$it") }
            calls.onceForRanks() shouldContainExactly calls
        }
    })
