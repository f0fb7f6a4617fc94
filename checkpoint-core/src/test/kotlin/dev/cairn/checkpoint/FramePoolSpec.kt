package dev.cairn.checkpoint

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class FramePoolSpec :
    FunSpec({
        test("a pool takes over the frame that a closed one has left") {
            // The garbage collector may come in between, but not each time.
            (1..100).any { leavesFrame(mark = it.toByte()) } shouldBe true
        }
    })

private suspend fun leavesFrame(mark: Byte): Boolean {
    val closed = FramePool(1)
    closed.borrow { it.put(0, mark) }
    closed.close()
    return FramePool(1).borrow { it.get(0) == mark }
}
