package dev.cairn.sion.store.simulated

import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.fixture.write
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import kotlin.random.Random

class SparseBytesSpec :
    FunSpec({
        test("behave like an array, whatever is written, cut, grown and copied") {
            withRandom { random ->
                val model = ArrayModel()
                var bytes = SparseBytes()
                repeat(200) {
                    val previous = bytes to model.content.copyOf()
                    if (random.nextInt(5) == 0) bytes = bytes.copy()
                    changeBoth(random, bytes, model)
                    bytes.content() shouldBe model.content
                    if (bytes !== previous.first) previous.first.content() shouldBe previous.second
                }
            }
        }

        test("take pages only where something was written") {
            val bytes = SparseBytes()
            bytes.resize(Long.MAX_VALUE)
            bytes.pageCount() shouldBe 0
            bytes.write(1L shl 62, byteArrayOf(1), 0, 1)
            bytes.pageCount() shouldBe 1
            bytes.write(4095, byteArrayOf(1, 2), 0, 2)
            bytes.pageCount() shouldBe 3
            bytes.resize(4096)
            bytes.pageCount() shouldBe 1
        }
    })

/** What the bytes should be, in the plainest way. */
private class ArrayModel {
    var content = ByteArray(0)

    fun write(position: Int, source: ByteArray) {
        content = content.copyOf(maxOf(content.size, position + source.size))
        source.copyInto(content, position)
    }
}

private fun changeBoth(random: Random, bytes: SparseBytes, model: ArrayModel) {
    val position = random.nextInt(5 * 4096)
    if (random.nextInt(4) == 0) {
        bytes.resize(position.toLong())
        model.content = model.content.copyOf(position)
    } else {
        val source = random.nextBytes(random.nextInt(1, 3 * 4096))
        bytes.write(position.toLong(), source, 0, source.size)
        model.write(position, source)
    }
}

private fun SparseBytes.content(): ByteArray {
    val target = ByteBuffer.allocate(Math.toIntExact(size()))
    if (target.hasRemaining()) read(0, target) shouldBe target.capacity()
    return target.array()
}
