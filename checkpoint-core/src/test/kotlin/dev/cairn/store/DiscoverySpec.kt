package dev.cairn.store

import dev.cairn.checkpoint.damagedFrame
import dev.cairn.checkpoint.missingData
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.file.Path

class DiscoverySpec :
    FunSpec({
        fun newStore(): BlockStore = SimulatedDisk().withParent().host("node0")

        fun storeWith(saves: Int): BlockStore =
            newStore().also { store -> store.own("a").use { owned -> repeat(saves) { owned.save(store) } } }

        fun discover(store: BlockStore) = store.checkpoints().discover(wholeData(store))

        test("where there is no store, or an empty one, a program starts fresh") {
            discover(newStore()) shouldBe Discovery.None(emptyList())
            discover(storeWith(saves = 0)) shouldBe Discovery.None(emptyList())
        }

        test("the newest good one is found") {
            val store = storeWith(saves = 3)
            val good = discover(store).shouldBeInstanceOf<Discovery.Good>()
            good.newest.number shouldBe 3
            good.newest.manifest shouldBe manifest(3, parent = 2)
            good.newest.data shouldBe DIRECTORY.resolve("000003/data.sion")
            good.rejected.shouldBeEmpty()
            good.notes.shouldBeEmpty()
        }

        test("numbers are ordered as numbers, also behind 999999") {
            val store = newStore()
            store.own("a").use { owned ->
                store.makeDirectory(DIRECTORY.resolve("999999"))
                owned.save(store) shouldBe 1_000_000
                owned.save(store) shouldBe 1_000_001
            }
            store.exists(DIRECTORY.resolve("1000001")) shouldBe true
            found(store) shouldBe 1_000_001
        }

        test("a save that did not finish is no checkpoint, and no damaged one either") {
            val store = newStore()
            val owned = store.own("a")
            owned.begin().writeData(store)
            discover(store) shouldBe
                Discovery.None(listOf("$DIRECTORY/000001: no checkpoint, the save has not finished"))
        }

        test("a save whose deletion was broken off is not called one that has not finished") {
            val store = newStore()
            store.own("a").use { owned -> owned.save(store) }
            store.rename(DIRECTORY.resolve("000001/manifest.json"), DIRECTORY.resolve("000001/manifest.json.new"))
            discover(store).notes shouldContainExactly
                listOf(
                    "$DIRECTORY/000001: no checkpoint, its deletion, or its commit, is not complete; the next " +
                        "save of its program deletes the rest",
                )
            store.own("b").use { owned -> owned.begin() }
            store.exists(DIRECTORY.resolve("000001")) shouldBe false
        }

        test("why a save was given up is told") {
            val store = newStore()
            store.own("a").use { owned -> owned.begin().abandon("rank 3 could not write") }
            discover(store).notes shouldContainExactly
                listOf("$DIRECTORY/000001: no checkpoint, the save has not finished: rank 3 could not write")
        }

        test("a full disk may leave no room for the reason") {
            val store = newStore()
            store.own("a").use { owned -> owned.begin().abandon("") }
            discover(store).notes.single() shouldContain ": there was no room to note the reason"
        }

        test("what is not ours is mentioned and left alone") {
            val store = storeWith(saves = 1)
            listOf(
                "notes.txt",
                "000009",
                "7",
                "0000007",
                "-00001",
            ).forEach { store.create(DIRECTORY.resolve(it)).close() }
            store.makeDirectory(DIRECTORY.resolve("plots"))
            found(store) shouldBe 1
            discover(store).notes shouldContainExactly
                listOf("-00001", "0000007", "000009", "7", "notes.txt", "plots").map {
                    "$DIRECTORY/$it: no checkpoint, left alone"
                }
            store.own("b").use { owned ->
                owned.save(store) shouldBe 10
                owned.save(store) shouldBe 11
                owned
                    .retain(Retention.keepLast(), wholeData(store))
                    .total()
                    .left
                    .shouldBeEmpty()
            }
            discover(store).notes.size shouldBe 6
        }

        test("a damaged one is passed over for an older one, with its reason") {
            val store = storeWith(saves = 4)
            store.delete(DIRECTORY.resolve("000004/data.sion.000001"))
            damage(store, DIRECTORY.resolve("000003/manifest.json"), position = 40)
            val good = discover(store).shouldBeInstanceOf<Discovery.Good>()
            good.newest.number shouldBe 2
            good.rejected.map { it.number } shouldContainExactly listOf(4, 3)
            good.rejected[0].reason shouldContain
                "$DIRECTORY/000004/data.sion.000001: there is no such file or directory"
            good.rejected[1].reason shouldStartWith "$DIRECTORY/000003/manifest.json: its end should be the digest"
        }

        test("where all are damaged, a program must not start fresh") {
            val store = storeWith(saves = 2)
            listOf(1, 2).forEach { damage(store, DIRECTORY.resolve("00000$it/data.sion"), position = 700) }
            val damaged = discover(store).shouldBeInstanceOf<Discovery.NoneGood>()
            damaged.rejected.map { it.number } shouldContainExactly listOf(2, 1)
            damaged.rejected[0].reason shouldContain "not the bytes of save 2"
        }

        test("where none is good, the advice is to bring back a copy or to start anew") {
            val store = storeWith(saves = 3)
            damage(store, DIRECTORY.resolve("000001/manifest.json"), position = 40)
            val inspection =
                Inspection {
                    if (it.number == 2) throw missingData(it.data)
                    throw damagedFrame(it.data, " of rank 1", "u", 0, 1, 2)
                }
            val damaged = store.checkpoints().discover(inspection).shouldBeInstanceOf<Discovery.NoneGood>()
            val message = damaged.toException(DIRECTORY).message.toString()
            message shouldStartWith
                "$DIRECTORY: it holds 3 checkpoints, and none is good. Restore the damaged or missing files from " +
                "another copy, or deliberately start anew in another directory or with the setting fresh = true. " +
                "$DIRECTORY/000003/data.sion: frame 0 of 'u' of rank 1 should have the CRC32C 00000001, but has " +
                "00000002. The bytes are damaged: restore them from another copy. $DIRECTORY/000002/data.sion: " +
                "this file of a finished save should exist, but is missing. Restore it from another copy. " +
                "$DIRECTORY/000001/manifest.json: "
            message shouldContain "The manifest is damaged: restore it from another copy. Its data hold a copy"
        }

        test("where a chosen save is not good, others are named") {
            val store = storeWith(saves = 3)
            val damaged =
                store
                    .checkpoints()
                    .discover(2) { throw missingData(it.data) }
                    .shouldBeInstanceOf<Discovery.NoneGood>()
            damaged.toException(DIRECTORY).message.toString() shouldStartWith
                "$DIRECTORY: save 2, which was chosen, is not good; there are others: 3, 1. Restore the damaged"
        }

        test("a directory that cannot be listed may hold a checkpoint, so it is not taken for none") {
            val store = UnreadableStore(storeWith(saves = 1), DIRECTORY.resolve("000001"))
            val damaged = discover(store).shouldBeInstanceOf<Discovery.NoneGood>()
            damaged.rejected.single().reason shouldContain "permission denied"
        }

        test("a save that was copied to another number is refused") {
            val store = storeWith(saves = 1)
            val copy = DIRECTORY.resolve("000005").also(store::makeDirectory)
            store.list(DIRECTORY.resolve("000001")).forEach { copy(store, it, copy.resolve(it.name)) }
            val good = discover(store).shouldBeInstanceOf<Discovery.Good>()
            good.newest.number shouldBe 1
            good.rejected.single().reason shouldStartWith
                "$copy/manifest.json: it should be the manifest of save 5, as its directory says, but it is that of " +
                "save 1. If the whole directory is that of save 1, rename it to its own number."
        }

        test("whatever byte of the newest manifest changes, the one before is found") {
            val store = storeWith(saves = 2)
            val file = DIRECTORY.resolve("000002/manifest.json")
            val size = store.open(file, Access.READ).use { it.size() }
            for (position in 0 until size) {
                damage(store, file, position)
                withClue("byte $position") { found(store) shouldBe 1 }
                damage(store, file, position)
            }
            found(store) shouldBe 2
        }
    })

/** Turns all bits of one byte; doing it twice repairs it. */
private fun damage(store: BlockStore, file: Path, position: Long) =
    store.open(file, Access.READ_WRITE).use { opened ->
        val byte = opened.content()[position.toInt()].toInt().inv()
        opened.write(position, byteArrayOf(byte.toByte()))
    }

private fun copy(store: BlockStore, from: Path, to: Path) {
    val bytes = store.open(from, Access.READ).use { it.content() }
    store.create(to).use { it.write(0, bytes) }
}

private class UnreadableStore(target: BlockStore, private val directory: Path) : ForwardingStore(target) {
    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.path() == directory) throw IOException("$directory: permission denied")
    }
}
