package dev.cairn.sion.store

import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.shouldBe

/** What every [BlockFile] promises to those who share a file: locks, and no harm from a neighbour's interrupt. */
fun sharedFileContract(newPlace: () -> Place) =
    funSpec {
        test("a lock excludes other handles until its own is closed") {
            val place = newPlace()
            val path = place.file("lock")
            place.store.open(path, Access.READ_WRITE).use { other ->
                place.store.open(path, Access.READ_WRITE).use { holder ->
                    holder.tryLock() shouldBe true
                    other.tryLock() shouldBe false
                    holder.tryLock() shouldBe true
                }
                other.tryLock() shouldBe true
            }
        }

        test("a lock is on the file, whatever its name") {
            val place = newPlace()
            val path = place.file("lock")
            place.store.open(path, Access.READ_WRITE).use { holder ->
                holder.tryLock() shouldBe true
                place.store.rename(path, place.path("renamed"))
                place.store.open(place.path("renamed"), Access.READ_WRITE).use { it.tryLock() shouldBe false }
                place.store.create(path).use { it.tryLock() shouldBe true }
            }
        }

        test("opening and closing other handles of a locked file does not release it") {
            val place = newPlace()
            val path = place.file("lock", pattern(1, 10))
            place.store.open(path, Access.READ_WRITE).use { holder ->
                holder.tryLock() shouldBe true
                repeat(3) {
                    place.content(path) shouldBe pattern(1, 10)
                    place.store.open(path, Access.READ_WRITE).use { it.tryLock() shouldBe false }
                }
                holder.content() shouldBe pattern(1, 10)
            }
            place.store.open(path, Access.READ_WRITE).use { it.tryLock() shouldBe true }
        }

        test("of many threads that ask for a lock, one gets it") {
            val place = newPlace()
            val path = place.file("lock")
            val handles = List(8) { place.store.open(path, Access.READ_WRITE) }
            inThreads(8) { index -> handles[index].tryLock() }.count { it } shouldBe 1
            handles.forEach(BlockFile::close)
        }

        test("an interrupt neither cuts a call short, nor closes the file, nor is lost") {
            newPlace().withFile { file ->
                interrupted { file.write(0, pattern(1, 3 shl 20)) }
                interrupted { file.bytes(0, 3 shl 20) } shouldBe pattern(1, 3 shl 20)
                interrupted { file.tryLock() } shouldBe true
                interrupted { file.force() }
                interrupted { file.resize(100) }
                interrupted { file.resize(200) }
                interrupted { file.size() } shouldBe 200
                file.content() shouldBe pattern(1, 100) + ByteArray(100)
            }
        }

        test("threads that share a file do not feel that one of them is interrupted all the time") {
            newPlace().withFile { file ->
                file.tryLock() shouldBe true
                inThreads(4) { index -> if (index == 0) writeAndReadInterrupted(file) else writeAndRead(file, index) }
                for (index in 0..3) {
                    file.bytes(index * REGION, REGION.toInt()) shouldBe pattern(index, REGION.toInt())
                }
            }
        }
    }

private const val REGION = 64L * 1024
private const val PIECE = 512

private fun writeAndRead(
    file: BlockFile,
    index: Int,
) {
    val expected = pattern(index, REGION.toInt())
    repeat(5) {
        for (start in 0 until REGION.toInt() step PIECE) {
            val piece = expected.copyOfRange(start, start + PIECE)
            file.write(index * REGION + start, piece)
            check(file.bytes(index * REGION + start, PIECE).contentEquals(piece)) { "byte $start of thread $index" }
        }
    }
}

private fun writeAndReadInterrupted(file: BlockFile) {
    val victim = Thread.currentThread()
    val interrupter =
        Thread {
            while (!Thread.interrupted()) {
                victim.interrupt()
                Thread.yield()
            }
        }
    interrupter.start()
    try {
        writeAndRead(file, index = 0)
    } finally {
        interrupter.interrupt()
        joinInterrupted(interrupter)
    }
}

/** Waits for [thread], although it may interrupt this one up to its end. */
private fun joinInterrupted(thread: Thread) {
    while (thread.isAlive) {
        try {
            thread.join()
        } catch (e: InterruptedException) {
            thread.interrupt()
        }
    }
    Thread.interrupted()
}
