package dev.cairn.sion.store.simulated

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.write
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import java.nio.file.Path

private val root = Path.of("/")
private val data = Path.of("/data")

class SimulatedCrashSpec :
    FunSpec({
        test("forced bytes are there, whatever else is lost") {
            val disk = diskWithForcedFile(pattern(1, 100))
            disk.host("node0").open(data, Access.READ_WRITE).write(100, pattern(2, 100))
            for (place in disk.placesAfterCrash()) {
                place.content(data).copyOf(100) shouldBe pattern(1, 100)
            }
            disk.contentsAfterCrash().minOf { it.size } shouldBe 100
        }

        test("a forced file whose name was not forced can be gone") {
            val disk = SimulatedDisk()
            disk
                .host("node0")
                .create(data)
                .apply { write(0, pattern(1, 10)) }
                .force()
            disk.placesAfterCrash().map { it.store.list(root) } shouldContainExactlyInAnyOrder
                listOf(listOf(data), listOf())
        }

        test("a file whose name was forced, but not its bytes, can be empty") {
            val disk = SimulatedDisk()
            disk.host("node0").create(data).write(0, byteArrayOf(7))
            disk.host("node0").forceDirectory(root)
            disk.contentsAfterCrash() shouldContainExactlyInAnyOrder listOf(listOf(), listOf(7))
        }

        test("a forced directory whose own name was not forced can be gone, with all that is in it") {
            val disk = SimulatedDisk()
            val store = disk.host("node0")
            store.makeDirectory(Path.of("/d"))
            store.create(Path.of("/d/data")).force()
            store.forceDirectory(Path.of("/d"))
            disk.placesAfterCrash().map { it.store.exists(Path.of("/d")) } shouldContainExactlyInAnyOrder
                listOf(true, false)
            store.forceDirectory(root)
            disk
                .placesAfterCrash()
                .single()
                .store
                .exists(Path.of("/d/data")) shouldBe true
        }

        test("a renamed file has its old name or its new one") {
            val disk = diskWithForcedFile(pattern(1, 10))
            disk.host("node0").rename(data, Path.of("/new"))
            disk.placesAfterCrash().map { it.store.list(root) } shouldContainExactlyInAnyOrder
                listOf(listOf(data), listOf(Path.of("/new")))
        }

        test("a file of which the crash leaves two names is still one file") {
            val disk = diskWithForcedFile(pattern(1, 10))
            val (second, third) = Path.of("/second") to Path.of("/third")
            disk.host("node0").rename(data, second)
            disk.host("node0").rename(second, third)
            val after = disk.afterCrash(CrashOutcome.losing(setOf(disk.unsyncedChanges().first())))
            val place = Place(after.host("node0"), root)
            place.store.list(root) shouldContainExactly listOf(data, third)
            place.store.open(data, Access.READ_WRITE).use { it.write(0, pattern(2, 10)) }
            place.content(third) shouldBe pattern(2, 10)
        }

        test("a deleted file can come back whole") {
            val disk = diskWithForcedFile(byteArrayOf(1, 2, 3))
            disk.host("node0").delete(data)
            val back = disk.placesAfterCrash().filter { it.store.exists(data) }
            back.map { it.content(data).asInts() } shouldContainExactly listOf(listOf(1, 2, 3))
        }

        test("an unforced resize can be lost") {
            val disk = diskWithForcedFile(byteArrayOf(1, 2, 3))
            disk.host("node0").open(data, Access.READ_WRITE).resize(1)
            disk.contentsAfterCrash() shouldContainExactlyInAnyOrder listOf(listOf(1, 2, 3), listOf(1))
        }

        test("a later write can survive an earlier one") {
            val disk = diskWithForcedFile(byteArrayOf(0, 0))
            disk.host("node0").open(data, Access.READ_WRITE).use {
                it.write(0, byteArrayOf(1))
                it.write(1, byteArrayOf(2))
            }
            disk.contentsAfterCrash() shouldContainExactlyInAnyOrder
                listOf(listOf(1, 2), listOf(0, 0), listOf(0, 2), listOf(1, 0))
        }

        test("a forced write is not overwritten by an earlier one that reached the disk late") {
            val disk = diskWithForcedFile(byteArrayOf(0))
            val (first, second) = listOf("node1", "node2").map { disk.host(it).open(data, Access.READ_WRITE) }
            first.write(0, byteArrayOf(1))
            second.write(0, byteArrayOf(2))
            second.force()
            disk.contentsAfterCrash().toSet() shouldBe setOf(listOf(2))
            first.force()
            disk.contentsAfterCrash().toSet() shouldBe setOf(listOf(2))
        }

        test("the force of one host says nothing of another host's changes") {
            val disk = diskWithForcedFile(byteArrayOf(0))
            disk.host("node1").open(data, Access.READ_WRITE).write(0, byteArrayOf(1))
            disk.host("node1").create(Path.of("/new"))
            disk.host("node2").open(data, Access.READ_WRITE).force()
            disk.host("node2").forceDirectory(root)
            disk.unsyncedChanges().map { it.operation().kind() } shouldContainExactly listOf(Kind.WRITE, Kind.CREATE)
        }

        test("the last write can be torn: in its middle, and at the disk's sectors") {
            val disk = diskWithForcedFile(ByteArray(300))
            disk.host("node0").open(data, Access.READ_WRITE).write(300, pattern(1, 1000))
            // Bytes 300 to 1300 cross the sectors' borders at 512 and 1024.
            val expected =
                listOf(500, 512 - 300, 1024 - 300).flatMap { cut ->
                    listOf(pattern(1, 1000).copyOf(cut), ByteArray(cut) + pattern(1, 1000).drop(cut))
                } + listOf(pattern(1, 1000), byteArrayOf())
            disk.contentsAfterCrash().map { it.drop(300) } shouldContainExactlyInAnyOrder expected.map { it.asInts() }
        }

        test("a test may choose what is lost") {
            val disk = diskWithForcedFile(byteArrayOf(0, 0, 0))
            disk.host("node0").open(data, Access.READ_WRITE).use { file ->
                repeat(3) { file.write(it.toLong(), byteArrayOf(9)) }
            }
            val (first, _, third) = disk.unsyncedChanges()
            val after = disk.afterCrash(CrashOutcome.losing(setOf(first, third)))
            Place(after.host("node0"), root).content(data).asInts() shouldBe listOf(0, 9, 0)
        }

        test("no handle and no lock is left, and the two disks go separate ways") {
            val disk = diskWithForcedFile(pattern(1, 100))
            val file = disk.host("node0").open(data, Access.READ_WRITE)
            file.tryLock() shouldBe true
            val after = disk.afterCrash(disk.crashOutcomes().single())
            after.openFiles().shouldBeEmpty()
            after.operationCount() shouldBe 0
            after.host("node0").open(data, Access.READ_WRITE).use {
                it.tryLock() shouldBe true
                file.write(0, pattern(2, 10))
                it.write(50, pattern(3, 10))
                it.content() shouldBe pattern(1, 100).also { all -> pattern(3, 10).copyInto(all, 50) }
            }
            file.content() shouldBe pattern(1, 100).also { all -> pattern(2, 10).copyInto(all, 0) }
        }
    })

/** A disk whose only file, with these bytes, survives every crash. */
private fun diskWithForcedFile(content: ByteArray): SimulatedDisk {
    val disk = SimulatedDisk()
    disk.host("node0").create(data).use {
        it.write(0, content)
        it.force()
    }
    disk.host("node0").forceDirectory(root)
    return disk
}

private fun SimulatedDisk.placesAfterCrash() = crashOutcomes().map { Place(afterCrash(it).host("node0"), root) }

private fun SimulatedDisk.contentsAfterCrash() = placesAfterCrash().map { it.content(data).asInts() }

private fun ByteArray.asInts() = map(Byte::toInt)
