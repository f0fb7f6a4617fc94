package dev.cairn.sion.layout

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class PlacementSpec :
    FunSpec({
        fun Placement.describe() = (0 until taskCount()).map { file(it) to localRank(it) }

        test("what does not divide goes to the last file") {
            Placement.contiguous(5, 2).describe() shouldBe listOf(0 to 0, 0 to 1, 1 to 0, 1 to 1, 1 to 2)
            Placement.contiguous(11, 4).let { p -> List(4, p::taskCount) } shouldBe listOf(2, 2, 2, 5)
        }

        test("as many files as tasks gives each task its own") {
            Placement.contiguous(3, 3).describe() shouldBe listOf(0 to 0, 1 to 0, 2 to 0)
        }

        test("more files than tasks are refused") {
            shouldThrow<IllegalArgumentException> { Placement.contiguous(3, 4) }.message shouldBe
                "3 tasks fill 1 to 3 files, not 4: ask for fewer files."
        }

        test("groups become files in the order of their first tasks") {
            val colours = listOf(7, -2, 7, -2, -2)
            Placement.grouped(5) { colours[it] }.describe() shouldBe
                listOf(0 to 0, 1 to 0, 0 to 1, 1 to 1, 1 to 2)
        }

        test("a user's function gives the file number itself") {
            Placement.chosen(4) { 1 - it % 2 }.describe() shouldBe listOf(1 to 0, 0 to 0, 1 to 1, 0 to 1)
        }

        test("a gap in the user's file numbers is refused") {
            shouldThrow<IllegalArgumentException> { Placement.chosen(4) { if (it == 0) 0 else 2 } }.message shouldBe
                "no task is placed in file 1, although file 2 is used: number the files without gaps."
        }

        test("a file number that the tasks cannot reach is refused before anything is allocated") {
            shouldThrow<IllegalArgumentException> { Placement.chosen(4) { Int.MAX_VALUE } }.message shouldBe
                "task 0 is placed in file 2147483647, but 4 tasks fill only files 0 to 3."
        }

        test("tasks are listed by file in the order of their local ranks") {
            Placement.chosen(4) { 1 - it % 2 }.tasksByFile().map { it.toList() } shouldBe
                listOf(listOf(1, 3), listOf(0, 2))
        }
    })
