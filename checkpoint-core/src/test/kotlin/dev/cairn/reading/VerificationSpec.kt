package dev.cairn.reading

import dev.cairn.checkpoints
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

class VerificationSpec :
    FunSpec({
        test("a stream that is longer than its records, by zeros that look like a record, is damaged") {
            val directory = tempdir().toPath()
            ranks(2) {
                checkpoints(directory) { perRank("own", { "rank $rank".repeat(1 + 9 * rank) }, {}) }.use { it.save(1) }
            }
            val data = directory.resolve("000001/data.sion")
            StoredCheckpoints(directory).verify(1).shouldBeEmpty()

            val size = Multifile.open(data).use { it.task(1).size() }
            val bytes = ByteBuffer.wrap(data.readBytes()).order(LITTLE_ENDIAN)
            val inMetaTwo = (bytes.capacity() - Long.SIZE_BYTES downTo 0).first { bytes.getLong(it) == size }
            data.writeBytes(bytes.putLong(inMetaTwo, size + 16).array())
            Multifile.open(data).use { it.task(1).size() } shouldBe size + 16

            StoredCheckpoints(directory).verify(1) shouldHaveSize 1
            StoredCheckpoints(directory).verify(1).single() shouldContain
                "the records of rank 1 should be those in the index, but they take ${size + 16} bytes, not $size"
        }
    })
