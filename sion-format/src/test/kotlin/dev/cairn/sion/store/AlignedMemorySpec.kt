package dev.cairn.sion.store

import dev.cairn.house.JDK_DEPENDENT
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

@Tags(JDK_DEPENDENT)
class AlignedMemorySpec :
    FunSpec({
        val memory = AlignedMemory.allocate(1000)

        test("bytes lie at the same place of a cache line in memory as in the file") {
            for (position in listOf(0L, 1L, 16L, 63L, 64L, 4095L, (1L shl 40) + 40, Long.MAX_VALUE)) {
                memory.at(position).alignmentOffset(0, 64) shouldBe (position % 64).toInt()
            }
        }

        test("every buffer is empty and has the size that was asked for") {
            for (position in 0L..64) {
                val buffer = memory.at(position)
                listOf(buffer.position(), buffer.limit(), buffer.capacity()) shouldBe listOf(0, 1000, 1000)
            }
        }

        test("there is room for any size, wherever the system puts the memory") {
            for (size in (1..300).shuffled()) {
                AlignedMemory.allocate(size).at(63).capacity() shouldBe size
            }
        }

        test("buffers share their bytes") {
            memory.at(3).put(0, 7)
            memory.at(67).get(0) shouldBe 7
        }
    })
