package dev.cairn.sion.store

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.blockStoreContract
import dev.cairn.sion.store.fixture.bytes
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.diskDirectory
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.realPlace
import dev.cairn.sion.store.fixture.simulatedPlace
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.file.Path

@Tags(JDK_DEPENDENT)
class ForwardingStoreSpec :
    FunSpec({
        fun forwarded(place: Place) = Place(hooked(place.store) {}, place.directory)

        include("in front of files: ", blockStoreContract { forwarded(realPlace(diskDirectory)) })
        include("in front of a simulated disk: ", blockStoreContract { forwarded(simulatedPlace()) })

        test("every call passes the hook, once and in order") {
            val trace = mutableListOf<String>()
            val place = simulatedPlace()
            with(hooked(place.store) { trace += it.toString() }) {
                makeDirectory(Path.of("/d"))
                create(Path.of("/d/a")).use { file ->
                    file.tryLock()
                    file.write(40, pattern(1, 12))
                    file.bytes(41, 2)
                    file.size()
                    file.resize(45)
                    file.force()
                }
                open(Path.of("/d/a"), Access.READ).close()
                rename(Path.of("/d/a"), Path.of("/d/b"))
                forceDirectory(Path.of("/d"))
                exists(Path.of("/d/b"))
                list(Path.of("/d"))
                freeSpace(Path.of("/d"))
                blockSize(Path.of("/d"))
                fileNumber(Path.of("/d/b"))
                delete(Path.of("/d/b"))
            }
            trace shouldContainExactly
                listOf(
                    "MAKE_DIRECTORY of /d",
                    "CREATE of /d/a",
                    "TRY_LOCK of /d/a",
                    "WRITE of 12 bytes at byte 40 of /d/a",
                    "READ of 2 bytes at byte 41 of /d/a",
                    "SIZE of /d/a",
                    "RESIZE of /d/a to 45 bytes",
                    "FORCE of /d/a",
                    "CLOSE of /d/a",
                    "OPEN of /d/a",
                    "CLOSE of /d/a",
                    "RENAME of /d/a",
                    "FORCE_DIRECTORY of /d",
                    "EXISTS of /d/b",
                    "LIST of /d",
                    "FREE_SPACE of /d",
                    "BLOCK_SIZE of /d",
                    "FILE_NUMBER of /d/b",
                    "DELETE of /d/b",
                )
        }

        test("what the hook throws reaches the caller, and the operation does not take place") {
            val place = simulatedPlace()
            val path = place.file("data", pattern(1, 10))
            val failing = hooked(place.store) { if (it.kind() == Kind.WRITE) throw IOException("no more writes") }
            failing.open(path, Access.READ_WRITE).use { file ->
                shouldThrow<DiskException> { file.write(0, pattern(2, 10)) }.message shouldBe "$path: no more writes"
            }
            place.content(path) shouldBe pattern(1, 10)
        }

        test("a close that the hook fails still closes the file") {
            val disk = SimulatedDisk()
            val failing = hooked(disk.host("node0")) { if (it.kind() == Kind.CLOSE) throw IOException("lost") }
            val file = failing.create(Path.of("/data"))
            shouldThrow<IOException> { file.close() }
            disk.openFiles().shouldBeEmpty()
        }
    })

private fun hooked(target: BlockStore, hook: (BlockStore.Operation) -> Unit): BlockStore =
    object : ForwardingStore(target) {
        override fun onOperation(operation: BlockStore.Operation) = hook(operation)
    }
