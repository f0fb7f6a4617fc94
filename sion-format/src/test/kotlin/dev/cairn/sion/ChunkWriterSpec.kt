package dev.cairn.sion

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.file.Path

class ChunkWriterSpec :
    FunSpec({
        val directory = tempdir().toPath()
        var count = 0

        fun newPath(): Path = directory.resolve("x${count++}.sion")

        fun writer(vararg chunkSizes: Long, path: Path = newPath()) =
            MultifileWriter.create(MultifileSpec.serial(path).withBlockSize(512), TaskRequest.ofSizes(*chunkSizes))

        fun bytes(size: Int) = ByteBuffer.wrap(ByteArray(size) { it.toByte() })

        test("a write that just fits stays in its chunk") {
            writer(512).use {
                val task = it.task(0)
                task.write(bytes(500))
                task.write(bytes(12))
                task.usage() shouldBe TaskUsage.of(512)
            }
        }

        test("a write is never split: what does not fit goes to the next block as a whole") {
            writer(512).use {
                val task = it.task(0)
                task.write(bytes(500))
                task.write(bytes(13))
                task.usage() shouldBe TaskUsage.of(500, 13)
                task.size() shouldBe 513
            }
        }

        test("a write larger than a chunk is refused and changes nothing") {
            val path = newPath()
            writer(100, 600, path = path).use {
                val task = it.task(1)
                task.write(bytes(10))
                val tooLarge = bytes(1025)
                shouldThrow<IllegalArgumentException> { task.write(tooLarge) }.message shouldBe
                    "$path: task 1 wants 1025 bytes in one piece, but its chunks hold 1024: ask for larger chunks, " +
                    "or let append() split the bytes."
                tooLarge.remaining() shouldBe 1025
                task.usage() shouldBe TaskUsage.of(10)
            }
        }

        test("an empty write does nothing, even without any room") {
            writer(0, 512).use {
                it.task(0).write(bytes(0))
                it.task(0).append(bytes(0))
                it.task(0).usage() shouldBe TaskUsage.EMPTY
            }
        }

        test("a whole record lies in one chunk, and one that is larger than a chunk is refused") {
            val path = newPath()
            writer(512, path = path).use {
                val task = it.task(0)
                val records = RecordWriter.of(task)
                records.putWhole(1, bytes(400))
                records.putWhole(1, bytes(100))
                records.usage() shouldBe TaskUsage.of(416, 116)
                shouldThrow<IllegalArgumentException> { records.putWhole(1, bytes(497)) }.message shouldBe
                    "$path: task 0 wants 513 bytes in one piece, but its chunks hold 512: ask for larger chunks, " +
                    "or let append() split the bytes."
                records.usage() shouldBe TaskUsage.of(416, 116)
            }
        }

        test("ensureFreeSpace may leave an empty last block, which counts") {
            writer(512).use {
                val task = it.task(0)
                task.write(bytes(1))
                task.ensureFreeSpace(511)
                task.usage() shouldBe TaskUsage.of(1)
                task.ensureFreeSpace(512)
                task.usage() shouldBe TaskUsage.of(1, 0)
            }
        }

        test("append fills chunks to the last byte and opens a block only for a further byte") {
            writer(512).use {
                val task = it.task(0)
                task.append(bytes(300))
                task.append(bytes(212))
                task.usage() shouldBe TaskUsage.of(512)
                task.append(bytes(1025))
                task.usage() shouldBe TaskUsage.of(512, 512, 512, 1)
            }
        }

        test("append to a chunk of no bytes is refused instead of looping") {
            val path = newPath()
            writer(0, 512, path = path).use {
                shouldThrow<IllegalArgumentException> { it.task(0).append(bytes(1)) }.message shouldBe
                    "$path: task 0 asked for chunks of 0 bytes, so it cannot write 1: ask for larger chunks."
            }
        }

        test("a stream gathers small writes, splits at chunk borders and passes large ones through") {
            writer(512).use {
                val task = it.task(0)
                task.stream(ByteBuffer.allocate(64)).use { stream ->
                    repeat(100) { byte -> stream.write(byte) }
                    stream.write(ByteArray(1000))
                }
                task.usage() shouldBe TaskUsage.of(512, 512, 76)
            }
        }

        test("a write into a chunk of no bytes is refused with the only advice that helps") {
            val path = newPath()
            writer(0, 512, path = path).use {
                listOf({ it.task(0).write(bytes(5)) }, { it.task(0).ensureFreeSpace(5) }).forEach { write ->
                    shouldThrow<IllegalArgumentException> { write() }.message shouldBe
                        "$path: task 0 asked for chunks of 0 bytes, so it cannot write 5: ask for larger chunks."
                }
                it.task(0).ensureFreeSpace(0)
            }
        }

        test("a stream into chunks of no bytes is refused, too") {
            val path = newPath()
            writer(0, 512, path = path).use {
                val stream = it.task(0).stream()
                stream.write(7)
                shouldThrow<IllegalArgumentException> { stream.close() }.message shouldBe
                    "$path: task 0 asked for chunks of 0 bytes, so it cannot write 1: ask for larger chunks."
            }
        }

        test("while a stream is open its task is neither written otherwise nor counted") {
            val path = newPath()
            writer(512, path = path).use {
                val task = it.task(0)
                val stream = task.stream()
                stream.write(7)
                val one = bytes(1)
                listOf({ task.write(one) }, { task.append(one) }, { task.usage() }, { it.finish() }).forEach { use ->
                    shouldThrow<IllegalStateException> { use() }.message shouldBe
                        "$path: task 0 still has an open stream: close it first."
                }
                stream.close()
                shouldThrow<ClosedChannelException> { stream.write(8) }
                task.usage() shouldBe TaskUsage.of(1)
            }
        }

        test("a record must be whole before the next one begins") {
            val spec = MultifileSpec.serial(newPath()).withBlockSize(512).withContent(Content.RECORDS)
            MultifileWriter.create(spec, TaskRequest.ofSizes(512)).use {
                val records = it.records(0)
                records.begin(-1, 10)
                records.append(bytes(4))
                listOf({ records.begin(2, 1) }, { records.usage() }, { it.finish() }).forEach { use ->
                    shouldThrow<IllegalStateException> { use() }.message shouldBe
                        "task 0: the last record still lacks 6 bytes: append them first."
                }
                shouldThrow<IllegalArgumentException> { records.append(bytes(7)) }.message shouldBe
                    "task 0: 7 bytes are given, but the record has room for only 6 more."
                records.append(bytes(6))
                records.usage() shouldBe TaskUsage.of(26)
            }
        }

        test("bytes and records do not mix") {
            val path = newPath()
            writer(512, path = path).use {
                shouldThrow<IllegalStateException> { it.records(0) }.message shouldBe
                    "$path holds BYTES, not RECORDS: create it with that content."
            }
        }
    })
