package dev.cairn.store

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.io.IOException

/** The directory of a sealed save, which another program may complete under the same number. */
class SealedDirectorySpec :
    FunSpec({
        val place = HostPlace("data.sion", "node0 below /local", 1)

        test("a program that has lost the store does not delete a sealed save that its successor has committed") {
            val files = SimulatedDisk().withParent().host("node0")
            val old = files.own("a").begin()
            old.writeData(files)
            old.seal(manifest(old.number), listOf(place))
            old.leaveSealed()
            files.own("b", takeover = Takeover.Asked).use { new ->
                val sealed =
                    files
                        .checkpoints()
                        .survey()
                        .sealed
                        .single()
                new.resume(sealed).commit(files.checkpoints().read(sealed))
                shouldThrow<InUse> { old.abandon("superseded") }
            }
            files
                .checkpoints()
                .survey()
                .saves
                .map { it.number } shouldBe listOf(old.number)
            files.exists(old.data) shouldBe true
        }

        test("nor one that was killed just before its seal, which the successor has sealed and committed") {
            val files = SimulatedDisk().withParent().host("node0")
            val old = Interrupted(files).own("a").begin()
            old.writeData(files)
            shouldThrow<IOException> { old.seal(manifest(old.number), listOf(place)) }
            files.own("b", takeover = Takeover.Asked).use { new ->
                val sealed =
                    files
                        .checkpoints()
                        .survey()
                        .sealed
                        .single()
                shouldThrow<CheckpointException.Damaged> { files.checkpoints().read(sealed) }.message shouldContain
                    "sealed.json: it is missing, although the file 'hosts' beside it says that the save is complete"
                val bytes = ManifestFormat.encode(manifest(old.number))
                new.reseal(sealed, ManifestFormat.decode(sealed.path, bytes))
                new.resume(sealed).commit(files.checkpoints().read(sealed))
                shouldThrow<InUse> { old.abandon("the save failed") }
            }
            files
                .checkpoints()
                .survey()
                .saves
                .map { it.number } shouldBe listOf(old.number)
            files.exists(old.data) shouldBe true
        }

        test("a save that could not be sealed has ended, whether the store can be read then or not") {
            val files = SimulatedDisk().withParent().host("node0")
            val disk = Interrupted(files)
            val owned = disk.own("a")
            val save = owned.begin()
            shouldThrow<IOException> { save.seal(manifest(save.number), listOf(place)) }
            disk.isDown = true
            shouldThrow<IOException> { save.abandon("it could not be sealed") }
            disk.isDown = false
            owned.begin().number shouldBe save.number + 1
        }

        test("a program that has lost the store notes no places") {
            val files = SimulatedDisk().withParent().host("node0")
            val old = files.own("a").begin()
            files.own("b", takeover = Takeover.Asked).use {
                shouldThrow<InUse> { old.seal(manifest(old.number), listOf(place)) }
            }
            files.exists(old.path.resolve(SaveNames.HOSTS)) shouldBe false
        }

        test("the note of places is readable by people, and ends with a checksum of its lines") {
            val files = SimulatedDisk().withParent().host("node0")
            val save = files.own("a").begin()
            save.writeData(files)
            save.seal(manifest(save.number), listOf(place))
            val note = files.open(save.path.resolve(SaveNames.HOSTS), Access.READ).use { it.content() }
            // The checksum was computed bit by bit, by the polynomial.
            note.decodeToString() shouldBe
                "data.sion on node0 below /local, meta data 00000001\nthese lines have the CRC32C cacc1216\n"
        }

        test("a save has one directory in its program, also when that goes on with it") {
            val files = SimulatedDisk().withParent().host("node0")
            val owned = files.own("a")
            val save = owned.begin()
            save.writeData(files)
            save.seal(manifest(save.number), listOf(place))
            save.leaveSealed()
            val sealed =
                files
                    .checkpoints()
                    .survey()
                    .sealed
                    .single()
            owned.resume(sealed) shouldBeSameInstanceAs save
            save.commit(files.checkpoints().read(sealed))
            save.isSealed shouldBe false
            save.hasEnded shouldBe true
        }

        test("the manifest of a sealed save is committed byte by byte, whatever a newer version has written into it") {
            val files = SimulatedDisk().withParent().host("node0")
            val owned = files.own("a")
            val save = owned.begin()
            save.writeData(files)
            save.seal(manifest(save.number), listOf(place))
            save.leaveSealed()
            val seal = save.path.resolve(SaveNames.SEAL)
            rewriteManifest(files, seal) { it.replace("\"2.0\"", "\"2.9\"").replaceFirst("{", "{\"future\": 1,") }
            val bytes = files.open(seal, Access.READ).use { it.content().toList() }
            files
                .open(
                    save.path.resolve(SaveNames.NEW_MANIFEST),
                    Access.READ_WRITE,
                ).use { it.write(0, ByteArray(10_000)) }
            val sealed =
                files
                    .checkpoints()
                    .survey()
                    .sealed
                    .single()
            owned.resume(sealed).commit(files.checkpoints().read(sealed))
            files.open(save.path.resolve(SaveNames.MANIFEST), Access.READ).use { it.content().toList() } shouldBe bytes
        }
    })

/** The seal cannot be written, and nothing at all while the disk [isDown]. */
private class Interrupted(files: BlockStore) : ForwardingStore(files) {
    var isDown = false

    override fun onOperation(operation: BlockStore.Operation) {
        if (isDown || operation.path().endsWith(SaveNames.NEW_SEAL)) throw IOException("killed")
    }
}
