package dev.cairn.sion.store.simulated

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.blockStoreContract
import dev.cairn.sion.store.fixture.bytes
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.inThreads
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.simulatedPlace
import dev.cairn.sion.store.fixture.write
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path

private val root = Path.of("/")
private val data = Path.of("/data")

@Tags(JDK_DEPENDENT)
class SimulatedDiskSpec :
    FunSpec({
        include("simulated: ", blockStoreContract { simulatedPlace() })

        test("a relative path starts at the root") {
            val place = Place(SimulatedDisk().host("node0"), Path.of(""))
            place.file("data", pattern(1, 10))
            place.content(data) shouldBe pattern(1, 10)
            place.store.list(Path.of("")) shouldContainExactly listOf(Path.of("data"))
        }

        test("the settings say what the disk answers") {
            val store = SimulatedDisk(DiskSettings.DEFAULT.withBlockSize(65536).withCapacity(1 shl 20)).host("node0")
            store.blockSize(root) shouldBe BlockStore.BlockSize(65536, "the simulated disk")
            store.freeSpace(root) shouldBe (1 shl 20)
        }

        test("operations of all hosts and threads are counted, one by one") {
            val disk = SimulatedDisk()
            inThreads(4) { index ->
                disk.host("node$index").create(Path.of("/$index")).use { file ->
                    repeat(100) { file.write(it * 10L, pattern(index, 10)) }
                }
            }
            disk.operationCount() shouldBe 4 * 102
            disk
                .unsyncedChanges()
                .map { it.number() }
                .toSet()
                .size shouldBe 4 * 101
        }

        test("from the crash on nothing takes place, and the message says what did not") {
            val disk = SimulatedDisk().apply { crashAt(3) }
            val file = disk.host("node0").create(data)
            file.write(0, pattern(1, 10))
            shouldThrow<SimulatedDisk.CrashException> { file.write(10, pattern(1, 20)) }.message shouldBe
                "WRITE of 20 bytes at byte 10 of /data on node0 did not take place: the power failed at operation 3"
            shouldThrow<SimulatedDisk.CrashException> { disk.host("node1").exists(data) }
            shouldThrow<SimulatedDisk.CrashException> { file.close() }
            disk.operationCount() shouldBe 2
            disk.unsyncedChanges().map(SimulatedDisk.HostOperation::toString) shouldContainExactly
                listOf(
                    "operation 1 on node0, CREATE of /data",
                    "operation 2 on node0, WRITE of 10 bytes at byte 0 of /data",
                )
        }

        test("open files can be counted") {
            val disk = SimulatedDisk()
            val place = Place(disk.host("node0"), root)
            place.file("data")
            disk.openFiles().shouldBeEmpty()
            place.store.open(data, Access.READ).use {
                place.store.open(data, Access.READ).use { disk.openFiles() shouldContainExactly listOf(data, data) }
                disk.openFiles() shouldContainExactly listOf(data)
            }
        }

        context("locks") {
            fun locksFrom(reach: DiskSettings.LockReach, second: String): Boolean {
                val disk = SimulatedDisk(DiskSettings.DEFAULT.withLockReach(reach))
                disk.host("node0").create(data).tryLock() shouldBe true
                return disk.host(second).open(data, Access.READ_WRITE).tryLock()
            }

            test("exclude other hosts, unless they do not reach them") {
                locksFrom(DiskSettings.LockReach.ALL_HOSTS, second = "node1") shouldBe false
                locksFrom(DiskSettings.LockReach.ONE_HOST, second = "node1") shouldBe true
                locksFrom(DiskSettings.LockReach.ONE_HOST, second = "node0") shouldBe false
            }
        }

        context("space") {
            val page = 4096

            test("a full disk takes what fits, and says what did not") {
                val place = Place(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(10L * page)).host("node0"), root)
                place.store.create(data).use { file ->
                    file.write(0, pattern(1, 2 * page))
                    val refused = shouldThrow<DiskException> { file.write(page / 2L, pattern(2, 20 * page)) }
                    refused.trouble() shouldBe DiskException.Trouble.NO_ROOM
                    refused.message shouldBe
                        "$data: no space is left for ${20 * page - (10 * page - page / 2)} more bytes. The file " +
                        "system reports 0 bytes free; a quota may allow less. Free some space there, or write elsewhere."
                    file.content() shouldBe pattern(1, page / 2) + pattern(2, 20 * page).copyOf(10 * page - page / 2)
                }
            }

            test("a full disk can be overwritten, and has room again for what is cut or deleted") {
                val place = Place(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(10L * page)).host("node0"), root)
                place.store.create(data).use { file ->
                    file.write(0, pattern(1, 10 * page))
                    file.write(0, pattern(2, 10 * page))
                    shouldThrow<DiskException> { file.write(10L * page, pattern(1, 1)) }
                    file.size() shouldBe 10 * page
                    file.resize(page * 8L)
                    place.store.freeSpace(root) shouldBe 2 * page
                    place.file("other", pattern(3, 2 * page))
                    place.store.delete(data)
                    place.store.freeSpace(root) shouldBe 0
                }
                place.store.freeSpace(root) shouldBe 8 * page
            }

            test("what was deleted takes none, however often") {
                val place = Place(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(10L * page)).host("node0"), root)
                repeat(5) { place.store.delete(place.file("data", pattern(1, 9 * page))) }
            }

            test("what was never written takes none") {
                val place = Place(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(2L * page)).host("node0"), root)
                place.store.create(data).use { file ->
                    file.resize(1L shl 50)
                    file.write(1L shl 60, pattern(1, page))
                    file.bytes(1L shl 60, page) shouldBe pattern(1, page)
                    place.store.freeSpace(root) shouldBe page
                }
            }
        }

        context("one host that dies") {
            test("takes along what it has not forced, and nothing of its neighbours") {
                val disk = SimulatedDisk()
                val (lost, kept) = Place(disk.host("node0"), root) to Place(disk.host("node1"), root)
                lost.file("forced", pattern(1, 10))
                lost.store.open(Path.of("/forced"), Access.READ).use { it.force() }
                lost.store.forceDirectory(root)
                lost.file("unforced", pattern(1, 10))
                kept.file("neighbour", pattern(2, 10))
                kept.store.open(Path.of("/forced"), Access.READ_WRITE).use { file ->
                    lost.store.open(Path.of("/forced"), Access.READ_WRITE).write(5, pattern(3, 10))
                    file.write(8, pattern(4, 10))
                    disk.crashHost("node0")
                    file.content() shouldBe pattern(1, 8) + pattern(4, 10)
                }
                kept.store.list(root) shouldContainExactly listOf(Path.of("/forced"), Path.of("/neighbour"))
                kept.content(Path.of("/neighbour")) shouldBe pattern(2, 10)
            }

            test("gives back its locks and handles, and can boot again") {
                val disk = SimulatedDisk()
                val dead = disk.host("node0")
                disk.host("node1").create(data).close()
                val file = dead.open(data, Access.READ_WRITE)
                file.tryLock() shouldBe true
                disk.crashHost("node0")
                disk.openFiles().shouldBeEmpty()
                disk.host("node1").open(data, Access.READ_WRITE).use { it.tryLock() shouldBe true }
                shouldThrow<SimulatedDisk.CrashException> { file.size() }
                shouldThrow<SimulatedDisk.CrashException> { dead.exists(data) }.message shouldBe
                    "EXISTS of /data on node0 did not take place: this host has died"
                disk.host("node0").exists(data) shouldBe true
            }
        }
    })
