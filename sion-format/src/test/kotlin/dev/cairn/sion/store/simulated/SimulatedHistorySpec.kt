package dev.cairn.sion.store.simulated

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.fixture.write
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.random.Random

private val data = Path.of("/data")

class SimulatedHistorySpec :
    FunSpec({
        test("three hosts that change, force and crash at random leave what a plain list of changes says") {
            withRandom { random ->
                repeat(20) { HistoryRun(random).steps(150) }
            }
        }
    })

/** One file of a simulated disk, and beside it all changes ever made to it. */
private class HistoryRun(private val random: Random) {
    private class Change(val number: Long, val host: String, var forced: Boolean, val apply: (ByteArray) -> ByteArray)

    private val disk = SimulatedDisk()
    private val changes = mutableListOf<Change>()

    init {
        disk.host("node0").create(data).close()
        disk.host("node0").forceDirectory(Path.of("/"))
    }

    fun steps(count: Int) =
        repeat(count) {
            val host = "node${random.nextInt(3)}"
            when (random.nextInt(12)) {
                0 -> crash(host)
                in 1..3 -> force(host)
                4 -> resize(host, random.nextInt(100))
                else -> write(host, random.nextInt(100), random.nextBytes(random.nextInt(1, 50)))
            }
            content(disk) shouldBe replayed { true }
            val lost = disk.unsyncedChanges().filter { random.nextBoolean() }.toSet()
            val lostNumbers = lost.map { it.number() }
            content(disk.afterCrash(CrashOutcome.losing(lost))) shouldBe replayed { it.number !in lostNumbers }
        }

    private fun crash(host: String) {
        disk.crashHost(host)
        changes.removeIf { it.host == host && !it.forced }
    }

    private fun force(host: String) {
        disk.host(host).open(data, Access.READ).use { it.force() }
        changes.filter { it.host == host }.forEach { it.forced = true }
    }

    private fun resize(host: String, size: Int) = change(host, { it.resize(size.toLong()) }) { it.copyOf(size) }

    private fun write(host: String, position: Int, source: ByteArray) =
        change(host, { it.write(position.toLong(), source) }) { content ->
            content.copyOf(maxOf(content.size, position + source.size)).also { source.copyInto(it, position) }
        }

    private fun change(host: String, onDisk: (BlockFile) -> Unit, onArray: (ByteArray) -> ByteArray) {
        disk.host(host).open(data, Access.READ_WRITE).use { file ->
            onDisk(file)
            changes += Change(disk.operationCount(), host, forced = false, onArray)
        }
    }

    private fun replayed(survives: (Change) -> Boolean): ByteArray =
        changes.filter(survives).fold(ByteArray(0)) { content, change -> change.apply(content) }

    private fun content(disk: SimulatedDisk): ByteArray = Place(disk.host("reader"), Path.of("/")).content(data)
}
