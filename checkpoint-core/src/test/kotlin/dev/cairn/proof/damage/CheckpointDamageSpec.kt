package dev.cairn.proof.damage

import dev.cairn.event.CheckpointException
import dev.cairn.event.RankFailedException
import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.DAMAGED_BYTES
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.proof.state.saveKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.OwnerFile
import dev.cairn.store.SaveNames
import dev.cairn.store.Takeover
import dev.cairn.store.name
import dev.cairn.store.owner
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldContainKey
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.TreeMap
import kotlin.random.Random

/**
 * Every byte of every file of a small checkpoint is changed, and every file is cut, lengthened, emptied and deleted; a fast
 * build changes some of the bytes. What comes back is the state of this checkpoint, or that of the one before, or a refusal
 * with a reason, and nothing else.
 * `-Dcairn.seed=N` repeats a run.
 */
class CheckpointDamageSpec :
    FunSpec({
        quietly()
        val seed = Campaign.seed

        test("a damaged byte of the newest checkpoint never brings wrong state back") {
            val damages = Damages(storeOf(saves = 2), newest = 2, Random(seed))
            damages.files.forEach { damages.changeEveryByte(it) }
            println("CheckpointDamageSpec, seed $seed, bytes of the newest of two: $damages")
            damages.wrong.shouldBeEmpty()
            damages.count shouldBeGreaterThanOrEqual DAMAGED_BYTES.limit(5000)
            damages.ends shouldContainKey "the older one"
        }

        test("a damaged byte of the only checkpoint never brings wrong state back, nor is it taken for none") {
            val damages = Damages(storeOf(saves = 1), newest = 1, Random(seed))
            damages.files.forEach { damages.changeEveryByte(it) }
            println("CheckpointDamageSpec, seed $seed, bytes of the only one: $damages")
            damages.wrong.shouldBeEmpty()
            damages.ends shouldContainKey "refused, Damaged NONE_GOOD"
        }

        test("a cut, lengthened, emptied or deleted file never brings wrong state back") {
            val damages = Damages(storeOf(saves = 2), newest = 2, Random(seed))
            damages.files.forEach { damages.resize(it) }
            println("CheckpointDamageSpec, seed $seed, sizes: $damages")
            damages.wrong.shouldBeEmpty()
        }

        test("rows, sums, streams and outputs come back right or not at all") {
            val disk = storeOf(saves = 2, Known.DUST, writers = 2)
            val damages = Damages(disk, newest = 2, Random(seed), Known.DUST, readers = 1)
            val data = damages.files.filter { it.name.startsWith(SaveNames.DATA) }
            data.forEach { damages.changeUsedBytes(it) }
            println("CheckpointDamageSpec, seed $seed, bytes of a state of other kinds: $damages")
            damages.wrong.shouldBeEmpty()
            damages.count shouldBeGreaterThanOrEqual DAMAGED_BYTES.limit(1000)
            damages.ends shouldContainKey "the older one"
        }

        // Damaged notes name other hosts, whose owners are watched for a while.
        beforeSpec { System.setProperty(Takeover.IfDead.SILENCE_SECONDS, "0") }
        afterSpec { System.clearProperty(Takeover.IfDead.SILENCE_SECONDS) }

        test("with a damaged note of a dead owner the store stays locked or can be taken over") {
            val disk = storeOf(saves = 2)
            OwnerFile(disk.host("node0"), DIRECTORY).place(owner("dead")).close()
            val damages = Damages(disk, newest = 2, Random(seed))
            damages.changeEveryByte(DIRECTORY.resolve(SaveNames.OWNER), values = 3)
            println("CheckpointDamageSpec, seed $seed, the owner's note: $damages")
            damages.wrong.shouldBeEmpty()
        }
    })

/** What comes first in each file of a multifile is the same for all kinds of state. */
private const val META_ONE_SIZE = 1088

private val NOTHING_LOST = CrashOutcome.losing(emptySet())

private suspend fun storeOf(saves: Long, known: Known = Known.SMALL, writers: Int = 3): SimulatedDisk {
    val disk = SimulatedDisk().withParent()
    ranks(RankPlan(writers, Schedule.Deterministic(1))) { saveKnown(known, disk.host("node0"), 1..saves) }
    return disk
}

/** Damages copies of [disk], and restores from each. */
private class Damages(
    private val disk: SimulatedDisk,
    private val newest: Int,
    private val random: Random,
    private val known: Known = Known.SMALL,
    private val readers: Int = 2,
) {
    /** The files of the newest checkpoint. */
    val files: List<Path> = disk.host("node0").list(DIRECTORY.resolve(SaveNames.directory(newest)))

    /** How the restores ended, and which of the ends must not be, with the last damage that led there. */
    val ends = TreeMap<String, Int>()
    val wrong = TreeMap<String, String>()
    val count get() = ends.values.sum()

    /** A file has more values tried at each byte if it is small. */
    suspend fun changeEveryByte(file: Path, values: Int = if (file.name == SaveNames.MANIFEST) 3 else 1) {
        val bytes = contentOf(file)
        val chosen = DAMAGED_BYTES.someOf(bytes.indices.toList(), random)
        for (at in chosen) repeat(values) { changeByte(file, at, bytes[at]) }
    }

    /** The chunks of streams are large and nearly empty, so only bytes are changed that are near one that is not zero. */
    suspend fun changeUsedBytes(file: Path) {
        val bytes = contentOf(file)
        val used = bytes.indices.filter { it >= META_ONE_SIZE && bytes[it] != 0.toByte() }
        val near = used.flatMap { it - NEAR..it + NEAR }.filter { it in bytes.indices }.toSortedSet()
        for (at in DAMAGED_BYTES.someOf(near.toList(), random)) changeByte(file, at, bytes[at])
    }

    private fun contentOf(file: Path): ByteArray = disk.host("node0").open(file, Access.READ).use { it.content() }

    private suspend fun changeByte(file: Path, at: Int, value: Byte) {
        val other = (value + random.nextInt(1, 256)).toByte()
        tryDamage("$file with $other at byte $at") { store ->
            store.change(file) { it.write(at.toLong(), ByteBuffer.wrap(byteArrayOf(other))) }
        }
    }

    suspend fun resize(file: Path) {
        val size = disk.host("node0").open(file, Access.READ).use(BlockFile::size)
        val shorter = (0 until size step CUT_DISTANCE) + (size - 1)
        for (other in DAMAGED_BYTES.someOf(shorter, random) + (size + 1) + (size + 4096)) {
            tryDamage("$file with $other bytes") { store -> store.change(file) { it.resize(other) } }
        }
        tryDamage("$file of zeros") { store -> store.change(file) { it.resize(0).also { _ -> it.resize(size) } } }
        tryDamage("no $file") { store -> store.delete(file) }
    }

    private fun BlockStore.change(file: Path, damage: (BlockFile) -> Unit) = open(file, Access.READ_WRITE).use(damage)

    private suspend fun tryDamage(damage: String, inflict: (BlockStore) -> Unit) {
        val store = disk.afterCrash(NOTHING_LOST).host("node0").also(inflict)
        val end =
            try {
                val plan = RankPlan(readers, Schedule.Deterministic(1), { "node0" })
                endOf(ranks(plan) { restoreKnown(known, store) }.first()?.number)
            } catch (failed: RunFailedException) {
                endOf(failed.cause)
            }
        ends.merge(end, 1, Int::plus)
        if (end.startsWith(WRONG)) wrong[end] = damage
    }

    private fun endOf(number: Int?) =
        when (number) {
            newest -> "unharmed"
            newest - 1 -> if (number > 0) "the older one" else "$WRONG: save $number"
            else -> "$WRONG: nothing"
        }

    /** A refusal is one on all ranks, for a reason that is one of ours or the disk's. */
    private fun endOf(failure: Throwable?): String {
        val reason = if (failure is RankFailedException) failure.cause else failure
        return when (reason) {
            is CheckpointException -> "refused, ${reason.type} ${reason.reason ?: ""}".trim()
            is IOException -> "refused, ${reason.javaClass.simpleName}"
            else -> "$WRONG: $failure"
        }
    }

    override fun toString() = "$count damages, ended $ends, wrong: $wrong"

    private companion object {
        const val CUT_DISTANCE = 5L
        const val NEAR = 3
        const val WRONG = "wrong"
    }
}
