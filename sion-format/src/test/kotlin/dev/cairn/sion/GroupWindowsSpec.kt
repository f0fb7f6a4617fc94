package dev.cairn.sion

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.Optional
import java.util.OptionalInt

/** Where the bytes of a task and of its group lie, in a file of which every position is known. */
class GroupWindowsSpec :
    FunSpec({
        /** Block 0 begins at 100 and block 1 at 200; this task has bytes 30 to 39 of a block, its group 20 to 44. */
        val slot =
            TaskSlot(4, 0, 130, 100, 10, LITTLE_ENDIAN, Optional.of(TaskSlot.Group(3, 3, 120, 25, OptionalInt.empty())))

        fun Grouping.Windows.positions(windows: LongRange) = windows.map { start(it) until end(it) }

        test("a slot says where each byte of its chunks lies") {
            slot.position(0, 0) shouldBe 130
            slot.position(0, 9) shouldBe 139
            slot.position(1, 0) shouldBe 230
            slot.position(3, 5) shouldBe 435
        }

        test("a byte of a block behind 2^31 bytes has its position, too") {
            slot.position(1L shl 40, 1) shouldBe 130 + (100L shl 40) + 1
        }

        test("windows cover the group's chunks of each block, and the last one of a block ends with them") {
            Grouping.Windows.of(slot, 10).positions(0L..5L) shouldBe
                listOf(120L..129, 130L..139, 140L..144, 220L..229, 230L..239, 240L..244)
        }

        test("chunks that fit are one window for each block") {
            Grouping.Windows.of(slot, 25).positions(0L..1L) shouldBe listOf(120L..144, 220L..244)
            Grouping.Windows.of(slot, 4000).positions(0L..1L) shouldBe listOf(120L..144, 220L..244)
        }

        test("the windows before a position are all that begin in front of it") {
            val windows = Grouping.Windows.of(slot, 10)
            for (end in 0L..400L) {
                windows.countBefore(end) shouldBe generateSequence(0L) { it + 1 }.first { windows.start(it) >= end }
            }
        }

        test("a group whose tasks asked for no bytes has no window in front of its end") {
            val empty = TaskSlot.Group(3, 3, 120, 0, OptionalInt.empty())
            val none = TaskSlot(4, 0, 120, 100, 0, LITTLE_ENDIAN, Optional.of(empty))
            Grouping.Windows.of(none, 10).countBefore(120) shouldBe 0
        }

        test("a task without a group has no windows") {
            val alone = TaskSlot(4, 0, 130, 100, 10, LITTLE_ENDIAN, Optional.empty())
            shouldThrow<NoSuchElementException> { Grouping.Windows.of(alone, 10) }
        }
    })
