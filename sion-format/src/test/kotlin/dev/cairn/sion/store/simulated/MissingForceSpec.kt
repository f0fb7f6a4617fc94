package dev.cairn.sion.store.simulated

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.crashEverywhere
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.write
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** The forces that keep a commit's promise, by what each makes durable. */
private enum class Force {
    NAME_OF_NEW_DIRECTORY,
    DATA,
    NAME_OF_DATA,
    MANIFEST,
    RENAME,
    DELETED_MANIFEST,
}

class MissingForceSpec :
    FunSpec({
        test("a program that forces everything in order loses nothing that it acknowledged") {
            val tally = campaign(missing = null)
            println("all forces: $tally")
            tally.broken shouldBe 0
            tally.states shouldBeGreaterThan tally.crashPoints
        }

        for (missing in Force.entries) {
            test("without the force of $missing it does") {
                val tally = campaign(missing)
                println("without the force of $missing: $tally")
                tally.broken shouldBeGreaterThan 0
            }
        }

        test("each host must force what it wrote itself") {
            for (forcing in listOf(setOf("node0", "node1"), setOf("node0"), setOf("node1"))) {
                val tally = crashEverywhere({ disk, acknowledge -> writeParts(disk, forcing, acknowledge) }, ::hasParts)
                println("two hosts, forced by $forcing: $tally")
                (tally.broken == 0) shouldBe (forcing.size == 2)
            }
        }
    })

private fun campaign(missing: Force?) =
    crashEverywhere({ disk, acknowledge -> twoSaves(Saves(disk.host("node0"), missing), acknowledge) }, ::isHonest)

private fun twoSaves(saves: Saves, acknowledge: (Int) -> Unit) {
    saves.commit(1)
    acknowledge(1)
    saves.commit(2)
    acknowledge(2)
    saves.discard(1)
}

/** Commits numbered saves: data first, then a manifest that is renamed into place. */
private class Saves(private val store: BlockStore, private val missing: Force?) {
    fun commit(number: Int) {
        store.makeDirectory(directory(number))
        unlessMissing(Force.NAME_OF_NEW_DIRECTORY) { store.forceDirectory(root) }
        store.create(data(number)).use { file ->
            file.write(0, dataBytes(number).copyOf(DATA_BYTES / 2))
            file.write(DATA_BYTES / 2L, dataBytes(number).copyOfRange(DATA_BYTES / 2, DATA_BYTES))
            unlessMissing(Force.DATA) { file.force() }
        }
        unlessMissing(Force.NAME_OF_DATA) { store.forceDirectory(directory(number)) }
        val unnamed = directory(number).resolve("manifest.new")
        store.create(unnamed).use { file ->
            file.write(0, manifestBytes(number))
            unlessMissing(Force.MANIFEST) { file.force() }
        }
        store.rename(unnamed, manifest(number))
        unlessMissing(Force.RENAME) { store.forceDirectory(directory(number)) }
    }

    fun discard(number: Int) {
        store.delete(manifest(number))
        unlessMissing(Force.DELETED_MANIFEST) { store.forceDirectory(directory(number)) }
        store.delete(data(number))
        store.delete(directory(number))
    }

    private fun unlessMissing(force: Force, action: () -> Unit) {
        if (force != missing) action()
    }
}

/** Whatever has a manifest is whole, and the newest is not older than what was acknowledged. */
private fun isHonest(store: BlockStore, acknowledged: Int): Boolean {
    val place = Place(store, root)
    val committed = (1..2).filter { store.exists(manifest(it)) }
    return committed.all { place.holds(manifest(it), manifestBytes(it)) && place.holds(data(it), dataBytes(it)) } &&
        (committed.maxOrNull() ?: 0) >= acknowledged
}

/** Two hosts write a file each; the last one to finish acknowledges both. */
private fun writeParts(disk: SimulatedDisk, forcing: Set<String>, acknowledge: (Int) -> Unit) {
    for (host in hosts) {
        val store = disk.host(host)
        store.create(root.resolve(host)).use { file ->
            file.write(0, pattern(1, DATA_BYTES))
            if (host in forcing) file.force()
        }
        if (host in forcing) store.forceDirectory(root)
    }
    acknowledge(1)
}

private fun hasParts(store: BlockStore, acknowledged: Int): Boolean =
    acknowledged == 0 || hosts.all { Place(store, root).holds(root.resolve(it), pattern(1, DATA_BYTES)) }

private fun Place.holds(file: Path, expected: ByteArray): Boolean =
    store.exists(file) && content(file).contentEquals(expected)

private const val DATA_BYTES = 3000

private val root = Path.of("/")

private val hosts = listOf("node0", "node1")

private fun directory(number: Int) = root.resolve("00000$number")

private fun data(number: Int) = directory(number).resolve("data")

private fun manifest(number: Int) = directory(number).resolve("manifest")

private fun dataBytes(number: Int) = pattern(number, DATA_BYTES)

private fun manifestBytes(number: Int) = pattern(100 + number, 40)
