package dev.cairn.sion

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainOnly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.channels.ClosedChannelException
import java.util.concurrent.Callable
import java.util.concurrent.Executors

class ReadingSpec :
    FunSpec({
        val path = tempdir().toPath().resolve("x.sion")
        val ranks = longArrayOf(100, 7, -1, 7, 1L shl 40)

        fun byteAt(task: Int, index: Int) = (task * 31 + index * 7 + (index shr 8)).toByte()

        fun stream(task: Int) = ByteArray(task * 1000) { byteAt(task, it) }

        beforeSpec {
            val spec =
                MultifileSpec
                    .parallel(path)
                    .withBlockSize(512)
                    .withUserDataOrder(ByteOrder.BIG_ENDIAN)
                    .withMapping(FileMapping.byFile { it % 2 })
            MultifileWriter.create(spec, ranks.map { TaskRequest(it, 300) }).use { writer ->
                ranks.indices.forEach { writer.task(it).append(ByteBuffer.wrap(stream(it))) }
                writer.finish()
            }
        }

        test("a multifile tells what it is") {
            Multifile.open(path).use { view ->
                val info = view.info()
                info.userDataOrder() shouldBe ByteOrder.BIG_ENDIAN
                info.metaDataOrder() shouldBe ByteOrder.LITTLE_ENDIAN
                info.prefix() shouldBe "x.sion"
                info.fileCount() shouldBe 2
                view.blockCount() shouldBe 8
                view.place(3) shouldBe FileMapping.TaskPlace(1, 1)
            }
        }

        test("tasks are found by their global ranks, and an unclear rank is refused") {
            Multifile.open(path).use { view ->
                view.taskOfGlobalRank(1L shl 40) shouldBe 4
                view.taskOfGlobalRank(-1) shouldBe 2
                shouldThrow<IllegalArgumentException> { view.taskOfGlobalRank(7) }.message shouldBe
                    "$path: tasks 1 and 3 both have the global rank 7: ask by task number."
                shouldThrow<IllegalArgumentException> { view.taskOfGlobalRank(8) }.message shouldBe
                    "$path: none of its 5 tasks has the global rank 8."
            }
        }

        test("one task alone is opened by its global rank too") {
            Multifile.openTaskOfGlobalRank(path, 1L shl 40).use { task ->
                task.task() shouldBe 4
                task.stream().use { it.readAllBytes() }.contentEquals(stream(4)) shouldBe true
            }
            shouldThrow<IllegalArgumentException> { Multifile.openTaskOfGlobalRank(path, 8) }
        }

        test("a task that is not there is refused") {
            Multifile.open(path).use { view ->
                val byte = ByteBuffer.allocate(1)
                listOf({ view.task(5) }, { view.read(5, 0, byte) }, { view.place(5) }).forEach { use ->
                    shouldThrow<IllegalArgumentException> { use() }.message shouldBe
                        "$path has tasks 0 to 4, but task 5 was asked for."
                }
            }
            shouldThrow<IllegalArgumentException> { Multifile.openTask(path, -1) }
        }

        test("a physical file other than file 0 shows its own tasks") {
            Multifile.open(path.resolveSibling("x.sion.000001")).use { view ->
                view.spansFiles() shouldBe false
                List(view.taskCount()) { view.task(it).globalRank() } shouldBe listOf(7L, 7L)
                view
                    .task(1)
                    .stream()
                    .use { it.readAllBytes() }
                    .contentEquals(stream(3)) shouldBe true
            }
        }

        test("many readers of one view, and many views, do not disturb each other") {
            val pool = Executors.newFixedThreadPool(8)
            try {
                Multifile.open(path).use { shared ->
                    val readers =
                        List(64) { number ->
                            Callable {
                                val task = number % ranks.size
                                val view = if (number < 32) shared.task(task) else Multifile.openTask(path, task)
                                view
                                    .use { it.stream().use { stream -> stream.readAllBytes() } }
                                    .contentEquals(stream(task))
                            }
                        }
                    pool.invokeAll(readers).map { it.get() } shouldContainOnly listOf(true)
                }
            } finally {
                pool.shutdown()
            }
        }

        test("closing a task of a global view leaves the view open; closing the view closes the files") {
            val view = Multifile.open(path)
            val task = view.task(4)
            task.close()
            task.read(0, ByteBuffer.allocate(1)) shouldBe 1
            view.close()
            shouldThrow<ClosedChannelException> { task.read(0, ByteBuffer.allocate(1)) }
        }

        test("a position before the start is refused") {
            Multifile.openTask(path, 1).use { task ->
                shouldThrow<IllegalArgumentException> { task.read(-1, ByteBuffer.allocate(1)) }.message shouldBe
                    "$path.000001: task 1 has no position -1: positions begin at 0."
            }
        }

        test("plain bytes have no records") {
            Multifile.openTask(path, 1).use { task ->
                shouldThrow<IllegalStateException> { task.records() }.message shouldBe
                    "$path.000001 holds plain bytes, no records: read the stream."
            }
        }
    })
