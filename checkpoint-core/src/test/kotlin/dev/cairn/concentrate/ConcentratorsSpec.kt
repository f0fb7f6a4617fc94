package dev.cairn.concentrate

import dev.cairn.event.CheckpointException.InvalidDeclaration
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe

class ConcentratorsSpec :
    FunSpec({
        val inBlocks = listOf("a", "a", "a", "b", "b", "b", "c")
        val inTurn = listOf("a", "b", "c", "a", "b", "c", "a")

        test("the first ranks of each host, and fewer where there are fewer") {
            Concentrators.perHost(1).among(inBlocks) shouldContainExactly listOf(0, 3, 6)
            Concentrators.perHost(2).among(inBlocks) shouldContainExactly listOf(0, 1, 3, 4, 6)
            Concentrators.perHost(2).among(inTurn) shouldContainExactly listOf(0, 3, 1, 4, 2, 5)
        }

        test("every n-th rank counts the ranks of a host one behind the other") {
            Concentrators.everyNth(3).among(inBlocks) shouldContainExactly listOf(0, 3, 6)
            Concentrators.everyNth(3).among(inTurn) shouldContainExactly listOf(0, 1, 5)
        }

        test("as many in all as were asked for, or as there are ranks") {
            Concentrators.total(2).among(inBlocks) shouldContainExactly listOf(0, 3)
            for (wanted in 1..20) {
                val found = Concentrators.total(wanted).among(inTurn)
                found.size shouldBe minOf(wanted, inTurn.size)
                found.shouldBeUnique()
            }
        }

        test("listed ranks, which must be there") {
            Concentrators.ranks(5, 2).among(inBlocks) shouldContainExactly listOf(5, 2)
            shouldThrow<InvalidDeclaration> { Concentrators.ranks(2, 7).among(inBlocks) }.message shouldBe
                "ranks:2+7, but the largest rank is 6. Name other ranks"
        }

        test("a rule says the same after it was written as a setting and read") {
            for (text in listOf("per-host:2", "every:3", "total:4", "ranks:0+8", "per-host:1:near", "ranks:5:near")) {
                Concentrators.parse(text).setting shouldBe text
            }
            Concentrators.parse("total:2:near").among(inBlocks) shouldContainExactly listOf(0, 3)
            Concentrators
                .total(2)
                .near()
                .near()
                .setting shouldBe "total:2:near"
        }

        test("rules that name no concentrator are refused") {
            shouldThrow<IllegalArgumentException> { Concentrators.perHost(0) }.message shouldBe
                "0 concentrators on each host: there must be 1 or more"
            shouldThrow<IllegalArgumentException> { Concentrators.ranks(1, 1) }.message shouldBe
                "concentrators on ranks [1, 1]: name one rank or more, none below 0, and each once"
        }
    })
