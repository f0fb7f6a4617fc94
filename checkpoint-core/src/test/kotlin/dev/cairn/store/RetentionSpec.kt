package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.file.Path

class RetentionSpec :
    FunSpec({
        fun outdated(retention: Retention, saves: List<Entry.Save>, damaged: Set<Int> = emptySet()) =
            retention.plan(saves) { it.number !in damaged }.outdated.map { it.number }

        test("the newest ones stay, two if nothing else is asked") {
            outdated(Retention.keepLast(), saves(1..5)) shouldContainExactly listOf(1, 2, 3)
            outdated(Retention.keepLast(4), saves(1..5)) shouldContainExactly listOf(1)
            outdated(Retention.keepLast(9), saves(1..5)).shouldBeEmpty()
            outdated(Retention.keepOnlyNewest(), saves(1..5)) shouldContainExactly listOf(1, 2, 3, 4)
        }

        test("one alone must be asked for by its own name") {
            shouldThrow<IllegalArgumentException> { Retention.keepLast(1) }.message shouldBe
                "at least 2 checkpoints are kept, not 1; keepOnlyNewest() keeps one"
        }

        test("a damaged one counts for nothing, and goes when enough good ones are newer") {
            outdated(Retention.keepLast(2), saves(1..6), damaged = setOf(5)) shouldContainExactly listOf(1, 2, 3)
            outdated(Retention.keepLast(2), saves(1..6), damaged = setOf(2)) shouldContainExactly listOf(1, 2, 3, 4)
            outdated(Retention.keepLast(2), saves(1..6), damaged = setOf(2, 3, 4, 5, 6)).shouldBeEmpty()
        }

        test("every k-th save stays, or the next one where that one is missing") {
            val every = Retention.keepLast(2).andEvery(10)
            outdated(every, saves(1..33)) shouldContainExactly (1..31) - setOf(10, 20, 30)
            outdated(every, saves((1..33) - 20)) shouldContainExactly (1..31) - setOf(10, 20, 21, 30)
            outdated(every, saves((21..33))) shouldContainExactly (22..31) - 30
        }

        test("pinned ones stay") {
            outdated(Retention.keepLast(2), saves(1..5, pinned = setOf(1, 5))) shouldContainExactly listOf(2, 3)
        }

        test("any plan keeps what it must and nothing else, and a second one finds nothing to do") {
            withRandom { random ->
                repeat(2000) {
                    val numbers = (1..random.nextInt(2, 60)).filter { random.nextInt(4) > 0 }
                    val pinned = numbers.filter { random.nextInt(10) == 0 }.toSet()
                    val damaged = numbers.filter { random.nextInt(5) == 0 }.toSet()
                    val (last, every) = random.nextInt(2, 5) to random.nextInt(1, 12)
                    val retention = Retention.keepLast(last).andEvery(every)

                    val gone = outdated(retention, saves(numbers, pinned), damaged)

                    gone shouldContainExactly
                        numbers.filter { number ->
                            val newerGood = numbers.count { it > number && it !in damaged }
                            val isFirstOfRow =
                                number >= every && (number - number % every until number).none(numbers::contains)
                            newerGood >= last && number !in pinned && !isFirstOfRow
                        }
                    outdated(retention, saves(numbers - gone, pinned), damaged).shouldBeEmpty()
                }
            }
        }

        test("what must stay is there afterwards, and nothing else is") {
            val store = SimulatedDisk().withParent().host("node0")
            store.own("a").use { owned ->
                repeat(8) { owned.save(store) }
                owned.pin(
                    owned.store
                        .survey()
                        .saves
                        .single { it.number == 2 },
                )
                owned.begin().abandon("for the test")
                repeat(2) { owned.save(store) }
                owned.retain(Retention.keepLast(2).andEvery(4), wholeData(store)).total() shouldBe
                    Cleanup(listOf(1, 3, 5, 6, 7), emptyList())
            }
            namesIn(store) shouldContainExactly listOf("000002", "000004", "000008", "000010", "000011", "lock")
            store.list(DIRECTORY.resolve("000002")).map { it.name } shouldContainExactly
                listOf("data.sion", "data.sion.000001", "manifest.json", "pinned")
        }

        test("an old one that cannot be deleted does not keep the others, and is tried again") {
            val store = UndeletableFileStore(SimulatedDisk().withParent().host("node0"))
            store.own("a").use { owned ->
                repeat(5) { owned.save(store) }
                store.stubborn = DIRECTORY.resolve("000002/data.sion")
                val first = owned.retain(Retention.keepLast(2), wholeData(store)).total()
                first.removed shouldContainExactly listOf(1, 3)
                first.left.single().reason shouldContain
                    "$DIRECTORY/000002: could not be deleted, tried again next time: $DIRECTORY/000002/data.sion: busy."
                store.stubborn = null
                owned.retain(Retention.keepLast(2), wholeData(store)).total() shouldBe Cleanup(listOf(2), emptyList())
            }
            namesIn(store) shouldContainExactly listOf("000004", "000005", "lock")
        }

        test("a file that no save made is not deleted, and keeps its directory") {
            val store = SimulatedDisk().withParent().host("node0")
            store.own("a").use { owned ->
                repeat(3) { owned.save(store) }
                store.create(DIRECTORY.resolve("000001/notes.txt")).close()
                val cleanup = owned.retain(Retention.keepLast(2), wholeData(store)).total()
                cleanup.left.single().reason shouldContain "it holds [notes.txt], which no save wrote"
                store.list(DIRECTORY.resolve("000001")).map { it.name } shouldContainExactly listOf("notes.txt")
            }
        }

        test("the number of the newest is not given out again when it is deleted, nor after a restart") {
            val store = SimulatedDisk().withParent().host("node0")
            store.own("a").use { owned ->
                repeat(3) { owned.save(store) }
                owned.remove(
                    owned.store
                        .survey()
                        .saves
                        .first(),
                ) shouldBe Cleanup(listOf(3), emptyList())
            }
            found(store) shouldBe 2
            store.own("b").use { owned -> owned.save(store) shouldBe 4 }
            namesIn(store) shouldContainExactly listOf("000001", "000002", "000004", "lock")
        }

        test("a pinned one is not deleted, until it is unpinned") {
            val store = SimulatedDisk().withParent().host("node0")
            store.own("a").use { owned ->
                owned.save(store)
                owned.pin(
                    owned.store
                        .survey()
                        .saves
                        .single(),
                )
                val pinned =
                    owned.store
                        .survey()
                        .saves
                        .single()
                shouldThrow<IllegalArgumentException> { owned.remove(pinned) }.message shouldBe
                    "$DIRECTORY/000001: this checkpoint is pinned: unpin it first"
                owned.unpin(pinned)
                owned
                    .remove(
                        owned.store
                            .survey()
                            .saves
                            .single(),
                    ).removed shouldContainExactly listOf(1)
            }
        }

        test("one that is pinned while older ones are deleted stays") {
            val store = SimulatedDisk().withParent().host("node0")
            store.own("a").use { owned ->
                repeat(5) { owned.save(store) }
                val steps = owned.retain(Retention.keepLast(2), wholeData(store)).iterator()
                steps.next()
                store.create(DIRECTORY.resolve("000002/pinned")).close()
                steps.asSequence().total() shouldBe Cleanup(listOf(1, 3), emptyList())
            }
            namesIn(store) shouldContainExactly listOf("000002", "000004", "000005", "lock")
        }

        test("leftovers are cleared away when the next save begins, since it may need their space") {
            val store = SimulatedDisk().withParent().host("node0")
            val dead = store.own("a")
            dead.begin().writeData(store)
            dead.close()
            store.own("b").use { owned ->
                val save = owned.begin()
                save.cleanup shouldBe Cleanup(listOf(1), emptyList())
                namesIn(store) shouldContainExactly listOf("000002", "lock", "owner.json")
            }
        }

        test("a save for which there is no space is given up, and leaves its space to the next") {
            val store = SimulatedDisk(DiskSettings.DEFAULT.withCapacity(5 * 4096L)).withParent().host("node0")
            store.own("a").use { owned ->
                owned.save(store)
                val save = owned.begin()
                shouldThrow<DiskException> { save.writeData(store) }.message.also { save.abandon(it!!) }
                store.list(save.path).map { it.name } shouldContainExactly listOf("failed")
                found(store) shouldBe 1
            }
        }

        test("one save is written at a time, is not taken for a remain, and ends once") {
            val store = SimulatedDisk().withParent().host("node0")
            store.own("a").use { owned ->
                val save = owned.begin()
                val busy = "$DIRECTORY/000001: this save is still under way: commit or abandon it first"
                shouldThrow<IllegalStateException> { owned.begin() }.message shouldBe busy
                owned.retain(Retention.keepLast(), wholeData(store)).total().removed shouldBe emptyList()
                store.exists(save.path.resolve(SaveNames.NEW_MANIFEST)) shouldBe true
                shouldThrow<IllegalArgumentException> { save.commit(manifest(2)) }.message shouldBe
                    "the manifest of save 1 cannot be that of 2"
                save.abandon("for the test")
                shouldThrow<IllegalStateException> { save.commit(manifest(1)) }.message shouldBe
                    "$DIRECTORY/000001: this save has ended already; begin another one"
            }
        }
    })

private fun saves(numbers: Iterable<Int>, pinned: Set<Int> = emptySet()) =
    numbers.map { Entry.Save(it, Path.of("$it"), it in pinned) }

private fun namesIn(store: BlockStore) = store.list(DIRECTORY).map { it.name }

/** Refuses to delete one file. */
private class UndeletableFileStore(target: BlockStore) : ForwardingStore(target) {
    var stubborn: Path? = null

    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() == BlockStore.Operation.Kind.DELETE &&
            operation.path() == stubborn
        ) {
            throw IOException("busy")
        }
    }
}
