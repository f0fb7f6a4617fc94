package dev.cairn.sion

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class GroupingSpec :
    FunSpec({
        fun areGrouped(vararg chunkSizes: Long) = Grouping.whereSmall().place(chunkSizes, BLOCK).areShared()

        fun tasks(count: Int, chunkSize: Long) = LongArray(count) { chunkSize }

        test("where-small groups 16 tasks that ask for less than a block, and not 15") {
            areGrouped(*tasks(16, BLOCK - 1L)) shouldBe true
            areGrouped(*tasks(15, BLOCK - 1L)) shouldBe false
        }

        test("where-small does not group tasks that ask for a block each") {
            areGrouped(*tasks(64, BLOCK.toLong())) shouldBe false
        }

        test("where-small groups small tasks although one task asks for most of all bytes, as a concentrator does") {
            areGrouped(1000L * BLOCK, *tasks(63, 100)) shouldBe true
        }

        test("where-small does not group tasks of which most ask for a block or more") {
            areGrouped(*tasks(16, 100), *tasks(16, 2L * BLOCK)) shouldBe true
            areGrouped(*tasks(16, 100), *tasks(17, 2L * BLOCK)) shouldBe false
        }
    })

private const val BLOCK = 4096
