package dev.cairn.sion.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.EOFException
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.channels.NonWritableChannelException

private const val GIB = 1L shl 30

/** What every [BlockFile] promises. [newPlace] is called once a test. */
fun blockFileContract(newPlace: () -> Place) =
    funSpec {
        fun withFile(
            content: ByteArray = byteArrayOf(),
            block: (BlockFile) -> Unit,
        ) = newPlace().withFile(content, block)

        test("path is the name under which the file was opened, also when it is closed") {
            val place = newPlace()
            val created = place.store.create(place.path("data"))
            created.path() shouldBe place.path("data")
            created.close()
            created.path() shouldBe place.path("data")
        }

        test("read fills the buffer between its position and its limit") {
            withFile(pattern(1, 100)) { file ->
                for (target in listOf(ByteBuffer.allocate(30), ByteBuffer.allocateDirect(30))) {
                    target.position(5).limit(25)
                    file.readFully(40, target)
                    target.position() shouldBe 25
                    target.clear()
                    val found = ByteArray(30).also(target::get)
                    found.copyOfRange(5, 25) shouldBe pattern(1, 100).copyOfRange(40, 60)
                    (found.take(5) + found.drop(25)).toSet() shouldBe setOf<Byte>(0)
                }
            }
        }

        test("read stops at the end of the file, and answers -1 there and behind") {
            withFile(pattern(1, 100)) { file ->
                file.read(95, ByteBuffer.allocate(10)) shouldBe 5
                file.read(100, ByteBuffer.allocate(10)) shouldBe -1
                file.read(Long.MAX_VALUE - 5, ByteBuffer.allocate(10)) shouldBe -1
                file.read(Long.MAX_VALUE, ByteBuffer.allocate(10)) shouldBe -1
            }
        }

        test("read answers 0 for a full buffer, wherever") {
            withFile(pattern(1, 100)) { file ->
                file.read(50, ByteBuffer.allocate(0)) shouldBe 0
                file.read(200, ByteBuffer.allocate(0)) shouldBe 0
            }
        }

        test("readFully names the file and the missing bytes when the file ends before") {
            withFile(pattern(1, 100)) { file ->
                shouldThrow<EOFException> { file.bytes(90, 30) }.message shouldBe
                    "${file.path()}: wanted 20 more bytes at byte 100, but the file ends at byte 100"
            }
        }

        test("write takes all bytes between the buffer's position and its limit") {
            withFile { file ->
                val source = ByteBuffer.wrap(pattern(1, 100)).position(10).limit(90)
                val direct = ByteBuffer.allocateDirect(80).put(pattern(2, 80)).flip()
                file.write(0, source)
                file.write(80, direct)
                file.write(160, ByteBuffer.wrap(pattern(3, 7)).asReadOnlyBuffer())
                source.hasRemaining() shouldBe false
                direct.hasRemaining() shouldBe false
                file.content() shouldBe pattern(1, 100).copyOfRange(10, 90) + pattern(2, 80) + pattern(3, 7)
            }
        }

        test("write overwrites, and leaves the bytes around alone") {
            withFile(pattern(1, 10_000)) { file ->
                file.write(4_000, pattern(2, 1_000))
                file.content() shouldBe
                    pattern(1, 10_000).also { pattern(2, 1_000).copyInto(it, destinationOffset = 4_000) }
            }
        }

        test("write behind the end leaves zeros between") {
            withFile(pattern(1, 10)) { file ->
                file.write(10_000, pattern(2, 10))
                file.content() shouldBe pattern(1, 10) + ByteArray(9_990) + pattern(2, 10)
            }
        }

        test("write of nothing changes nothing") {
            withFile(pattern(1, 10)) { file ->
                file.write(50, byteArrayOf())
                file.content() shouldBe pattern(1, 10)
            }
        }

        test("a buffer of several MiB goes through as a whole") {
            val count = (3 shl 20) + 7
            withFile { file ->
                file.write(1, pattern(1, count))
                file.bytes(1, count) shouldBe pattern(1, count)
                val direct = ByteBuffer.allocateDirect(count)
                file.readFully(1, direct)
                file.write(count + 1L, direct.flip())
                file.bytes(count + 1L, count) shouldBe pattern(1, count)
            }
        }

        test("positions go beyond 2 GiB and 4 GiB") {
            withFile { file ->
                val positions = listOf(0, 2 * GIB - 5, 4 * GIB - 5, 9 * GIB)
                positions.forEachIndexed { index, position -> file.write(position, pattern(index, 10)) }
                file.size() shouldBe 9 * GIB + 10
                positions.forEachIndexed { index, position -> file.bytes(position, 10) shouldBe pattern(index, 10) }
                file.bytes(3 * GIB, 10) shouldBe ByteArray(10)
                file.resize(4 * GIB)
                file.size() shouldBe 4 * GIB
                file.bytes(4 * GIB - 5, 5) shouldBe pattern(2, 5)
            }
        }

        test("resize cuts, and what it cut does not come back") {
            withFile(pattern(1, 10_000)) { file ->
                file.resize(5_000)
                file.content() shouldBe pattern(1, 5_000)
                file.resize(10_000)
                file.content() shouldBe pattern(1, 5_000) + ByteArray(5_000)
                file.resize(0)
                file.size() shouldBe 0
            }
        }

        test("resize to the same size changes nothing") {
            withFile(pattern(1, 100)) { file ->
                file.resize(100)
                file.content() shouldBe pattern(1, 100)
            }
        }

        test("every handle sees the others' changes at once") {
            val place = newPlace()
            place.store.create(place.path("data")).use { writer ->
                place.store.open(place.path("data"), Access.READ).use { reader ->
                    writer.write(0, pattern(1, 100))
                    reader.content() shouldBe pattern(1, 100)
                    writer.resize(10)
                    reader.size() shouldBe 10
                }
            }
        }

        test("force works through any handle") {
            val place = newPlace()
            val path = place.file("data", pattern(1, 100))
            for (access in Access.entries) {
                place.store.open(path, access).use { it.force() }
            }
        }

        test("a file opened for reading refuses to be changed or locked") {
            val place = newPlace()
            val path = place.file("data", pattern(1, 100))
            place.store.open(path, Access.READ).use { file ->
                shouldThrow<NonWritableChannelException> { file.write(0, pattern(2, 10)) }
                shouldThrow<NonWritableChannelException> { file.write(0, byteArrayOf()) }
                shouldThrow<NonWritableChannelException> { file.resize(10) }
                shouldThrow<NonWritableChannelException> { file.tryLock() }
                file.content() shouldBe pattern(1, 100)
            }
        }

        test("negative positions and sizes are refused with their value") {
            withFile(pattern(1, 100)) { file ->
                shouldThrow<IllegalArgumentException> { file.read(-1, ByteBuffer.allocate(1)) }
                    .message shouldBe "a position is at least 0, not -1"
                shouldThrow<IllegalArgumentException> { file.write(-2, pattern(1, 1)) }
                    .message shouldBe "a position is at least 0, not -2"
                shouldThrow<IllegalArgumentException> { file.resize(-3) }
                    .message shouldBe "a size is at least 0, not -3"
                file.content() shouldBe pattern(1, 100)
            }
        }

        test("a write that would end behind the largest size is refused") {
            withFile { file ->
                shouldThrow<IllegalArgumentException> { file.write(Long.MAX_VALUE - 9, pattern(1, 10)) }
                    .message shouldContain "10 bytes at byte ${Long.MAX_VALUE - 9}"
                file.size() shouldBe 0
            }
        }

        test("a closed file refuses every call, and closing twice does nothing") {
            val place = newPlace()
            val file = place.store.create(place.path("data"))
            file.close()
            file.close()
            shouldThrow<ClosedChannelException> { file.read(0, ByteBuffer.allocate(1)) }
            shouldThrow<ClosedChannelException> { file.write(0, pattern(1, 1)) }
            shouldThrow<ClosedChannelException> { file.size() }
            shouldThrow<ClosedChannelException> { file.resize(0) }
            shouldThrow<ClosedChannelException> { file.force() }
            shouldThrow<ClosedChannelException> { file.tryLock() }
        }

        include(sharedFileContract(newPlace))
    }
