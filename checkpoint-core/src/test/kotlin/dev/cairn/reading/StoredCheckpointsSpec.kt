package dev.cairn.reading

import dev.cairn.cli.HEAT
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.cli.SHAPE
import dev.cairn.cli.cell
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.Cleaner
import dev.cairn.store.OwnedStore
import dev.cairn.store.survey
import dev.cairn.store.total
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.time.Instant

/** A store, read by a program that has no ranks and no lock. */
class StoredCheckpointsSpec :
    FunSpec({
        suspend fun heat(vararg steps: Long) = HeatCheckpoints().apply { for (step in steps) save(3, step) }

        test("saves tell where they come from, and which of them are good") {
            val heat = heat(10, 20, 30, 40)
            heat.cut(HEAT.resolve("000003/manifest.json"))
            heat.files.delete(HEAT.resolve("000002/data.sion"))
            heat.own().use { it.abandonNext("the disk is full") }
            val saves = StoredCheckpoints(HEAT, heat.files).saves()

            saves.map { it.number } shouldBe (1..5).toList()
            val first = saves[0].shouldBeInstanceOf<StoredSave.Good>()
            first.step shouldBe 10
            first.phase shouldBe "main"
            first.run shouldBe "5d1c0a52-heat"
            first.parent shouldBe null
            first.time shouldBe Instant.parse("2025-01-31T09:01:00Z")
            first.rankCount shouldBe 3
            first.byteCount shouldBe 37 * 23 * 8 + 9 + 3 * 7
            saves[1].shouldBeInstanceOf<StoredSave.Damaged>().reason shouldBe
                "heat.cairn/000002/data.sion: this file of a finished save should exist, but is missing. Restore it " +
                "from another copy."
            saves[2].shouldBeInstanceOf<StoredSave.Damaged>().reason shouldStartWith "heat.cairn/000003/manifest.json: "
            saves[3].shouldBeInstanceOf<StoredSave.Good>().parent shouldBe 3
            saves[4].shouldBeInstanceOf<StoredSave.Unfinished>().reason shouldBe "the disk is full"
        }

        test("a checkpoint that is used after it was closed says so, and not that it cannot be read") {
            val directory = tempdir().toPath().resolve("heat.cairn")
            for ((files, place) in listOf(SimulatedDisk().host("node0") to HEAT, FileBlockStore() to directory)) {
                HeatCheckpoints(files).save(rankCount = 2, step = 1, directory = place)
                val closed = StoredCheckpoints(place, files).openNewest().also { it.close() }
                shouldThrow<IllegalStateException> { closed.field("u").read<DoubleArray>() }.message shouldBe
                    "$place/000001/data.sion: the checkpoint is closed: read from it before close()"
                shouldThrow<IllegalStateException> { closed.value("time").bytes() }
            }
        }

        test("the newest good one, one by its number, and the newest of a step are opened") {
            val heat = heat(10, 20, 20, 30)
            heat.cut(HEAT.resolve("000004/data.sion"))
            heat.cut(HEAT.resolve("000003/data.sion"))
            val checkpoints = StoredCheckpoints(HEAT, heat.files)

            checkpoints.openNewest().use { it.save.number shouldBe 2 }
            checkpoints.open(1).use { it.save.step shouldBe 10 }
            checkpoints.openStep(20).use { it.save.number shouldBe 2 }
            shouldThrowFor<CheckpointException.Unreadable>(Reason.NO_SUCH_CHECKPOINT) {
                checkpoints.openStep(25)
            }.message shouldStartWith
                "heat.cairn: it holds no good checkpoint of step 25, but of step 10, 20, 30."
            shouldThrowFor<CheckpointException.Unreadable>(Reason.NO_SUCH_CHECKPOINT) {
                checkpoints.openStep(30)
            }.message shouldContain
                "no good checkpoint of step 30, but of step 10, 20. heat.cairn/000004/data.sion: "
            shouldThrowFor<CheckpointException.Unreadable>(Reason.NO_SUCH_CHECKPOINT) {
                checkpoints.open(9)
            }.message shouldStartWith
                "heat.cairn: there is no save 9."
        }

        test("what is not there is said, and damage alone is no reason to find nothing") {
            val heat = heat(10)
            shouldThrow<NoSuchFileException> { StoredCheckpoints(Path.of("cold.cairn"), heat.files).saves() }
                .message shouldBe "cold.cairn: there is no such directory of checkpoints. Check the name."
            heat.files.makeDirectory(Path.of("cold.cairn"))
            shouldThrowFor<CheckpointException.Unreadable>(Reason.NO_SUCH_CHECKPOINT) {
                StoredCheckpoints(Path.of("cold.cairn"), heat.files).openNewest()
            }.message shouldBe "cold.cairn: it holds no checkpoint."
            heat.cut(HEAT.resolve("000001/data.sion"))
            shouldThrowFor<CheckpointException.Damaged>(
                Reason.NONE_GOOD,
            ) { StoredCheckpoints(HEAT, heat.files).openNewest() }
        }

        test("items are known by their names, and each by its kind") {
            val heat = heat(10)
            StoredCheckpoints(HEAT, heat.files).openNewest().use { checkpoint ->
                checkpoint.items.map { it.name to it.kind } shouldBe
                    listOf("u" to "field", "time" to "replicated", "seen" to "perRank")
                checkpoint.item("u").elementCount shouldBe 37 * 23
                checkpoint.item("u").byteCount shouldBe 37 * 23 * 8
                shouldThrow<IllegalArgumentException> { checkpoint.item("v") }.message shouldBe
                    "heat.cairn/000001 holds no item 'v', but u, time, seen."
                shouldThrow<IllegalArgumentException> { checkpoint.field("time") }.message shouldBe
                    "'time' in heat.cairn/000001 is of the kind replicated, not a field"
            }
        }

        test("a program that saves there meanwhile is not disturbed, and nothing is written") {
            val heat = heat(10)
            heat.own().use {
                val checkpoints = StoredCheckpoints(HEAT, ReadOnly(heat.files))

                checkpoints.saves() shouldHaveSize 1
                checkpoints.verify(1).shouldBeEmpty()
                checkpoints.openNewest().use { checkpoint ->
                    checkpoint.field("u").read<DoubleArray>() shouldBe DoubleArray(37 * 23) { cell(it.toLong()) }
                    checkpoint.field("u").shape shouldBe SHAPE
                }
            }
        }

        test("a save that is deleted during a read is not reported as damaged") {
            val heat = heat(10, 20, 30)
            val meanwhile = DeletedWhenRead(heat.files, HEAT.resolve("000002/manifest.json"))

            StoredCheckpoints(HEAT, meanwhile).saves().map { it.number } shouldBe listOf(1, 3)
        }

        test("verify finds what a quick look cannot") {
            val heat = heat(10, 20)
            heat.damage(1, cell(5))
            val checkpoints = StoredCheckpoints(HEAT, heat.files)

            checkpoints.saves().filterIsInstance<StoredSave.Good>() shouldHaveSize 2
            checkpoints.verify(1).single() shouldStartWith
                "heat.cairn/000001/data.sion: frame 0 of 'u' of rank 0 should have"
            checkpoints.verify(2).shouldBeEmpty()
        }
    })

private fun OwnedStore.abandonNext(reason: String) = begin().abandon(reason)

/** Fails at every operation that changes anything. */
private class ReadOnly(files: BlockStore) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        check(operation.kind() in READING) { "a reader should change nothing, but: $operation" }
    }

    private companion object {
        val READING =
            setOf(
                BlockStore.Operation.Kind.OPEN,
                BlockStore.Operation.Kind.EXISTS,
                BlockStore.Operation.Kind.LIST,
                BlockStore.Operation.Kind.READ,
                BlockStore.Operation.Kind.SIZE,
                BlockStore.Operation.Kind.CLOSE,
            )
    }
}

/** Deletes a save just before its [manifest] is opened. */
private class DeletedWhenRead(private val files: BlockStore, private val manifest: Path) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() != BlockStore.Operation.Kind.OPEN || operation.path() != manifest) return
        val survey = files.survey(HEAT)
        Cleaner(files, HEAT).remove(survey.numbered.filter { it.path == manifest.parent }, survey.highestNumber).total()
    }
}
