package dev.cairn.proof.state

import dev.cairn.StateBuilder
import dev.cairn.grid.RandomStreams
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.state.Codecs
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import dev.cairn.store.PARENT
import java.nio.ByteBuffer
import java.nio.file.Path

/** A state of everything but cells: rows with ids and without, a sum, objects and texts of each rank, a stream, an output. */
internal class DustState(
    private val rank: Int,
    private val rankCount: Int,
    private val files: BlockStore,
    private val output: Path = OUTPUT,
) : KnownState {
    private var ids = LongArray(0)
    private var x = DoubleArray(0)
    private var kind = ByteArray(0)
    private var cells = IntArray(0)
    private var isSeen = BooleanArray(0)
    private var mass = NOTHING
    private var marks = emptyList<Long>()
    private var note = ""
    private val noise = RandomStreams(NOTHING)
    private var log = ByteArray(0)

    override fun declare(builder: StateBuilder) =
        with(builder) {
            table("dust") {
                column("id", { ids }, { ids = it })
                column("x", { x }, { x = it })
                column("kind", { kind }, { kind = it })
                uniqueIds("id")
                owner { row, rankCount -> Math.floorMod(row.getLong("id"), rankCount) }
            }
            table("hits") {
                column("cell", { cells }, { cells = it })
                column("isSeen", { isSeen }, { isSeen = it })
                positionFree()
            }
            accumulator("mass", { mass }, { mass = it }, 0L, Long::plus)
            perRank("marks", { marks }, { marks = it }, PerRankRule.Merge { it.flatten() })
            perRank("note", Codecs.TEXT, { note }, { note = it }, PerRankRule.Merge { it.joinToString(";") })
            randomStreams("noise", noise)
            stream("log", { it.write(log) }, { log = it.readAllBytes() }, dealing())
            appendedFile("energies", output, files = files)
        }

    private fun dealing() =
        StreamRule.Deal { streams -> log = streams.fold(ByteArray(0)) { all, each -> all + each.readAllBytes() } }

    override fun advanceTo(step: Long) {
        takeRows(step, idsOf(rank, rankCount), hitsOf(rank, step))
        mass = massOf(rank, step)
        marks = marksOf(rank, step)
        note = noteOf(rank, step)
        noise.reseed(seedAt(step))
        log = logOf(rank, step)
        if (rank == 0) append(step)
    }

    /** In the arrays of the step before where the number of rows allows: a save that still reads them would be wrong. */
    private fun takeRows(step: Long, newIds: List<Long>, hits: List<Int>) {
        ids = newIds.toLongArray()
        x = DoubleArray(ids.size) { xOf(ids[it], step) }.let { if (it.size == x.size) it.copyInto(x) else it }
        kind = ByteArray(ids.size) { kindOf(ids[it], step) }.let { if (it.size == kind.size) it.copyInto(kind) else it }
        cells = hits.toIntArray().let { if (it.size == cells.size) it.copyInto(cells) else it }
        isSeen = BooleanArray(cells.size) { cells[it] % 3 == 0 }
    }

    /** Writes the line of [step] behind those of all steps before; what a program before it left there goes. */
    private fun append(step: Long) {
        val before = outputAt(step - 1).size.toLong()
        val line = outputAt(step).drop(before.toInt()).toByteArray()
        val file = if (files.exists(output)) files.open(output, Access.READ_WRITE) else files.create(output)
        file.use {
            it.write(before, ByteBuffer.wrap(line))
            it.resize(before + line.size)
        }
    }

    override fun isThatOf(step: Long, writers: Int): Boolean {
        val old = if (writers == rankCount) listOf(rank) else dealt(writers).toList()
        val inherited = DustState(rank, rankCount, files, output)
        inherited.takeRows(step, inheritedIds(writers), inheritedHits(step, writers))
        inherited.mass = inheritedMass(step, writers)
        inherited.marks = old.flatMap { marksOf(it, step) }
        inherited.note = old.joinToString(";") { noteOf(it, step) }
        inherited.noise.reseed(seedAt(step))
        inherited.log = old.flatMap { logOf(it, step).asList() }.toByteArray()
        return memory() == inherited.memory() && (rank != 0 || hasOutput(step))
    }

    override fun isUntouched(): Boolean = memory() == DustState(rank, rankCount, files, output).memory()

    /** All but the output, so that it can be compared bit by bit. */
    private fun memory(): List<Any> =
        listOf(ids.asList(), x.map(Double::toRawBits), kind.asList(), cells.asList(), isSeen.asList()) +
            listOf(mass, marks, note, noise.seed(), log.asList())

    private fun hasOutput(step: Long) =
        files.open(output, Access.READ).use { it.content() }.contentEquals(outputAt(step))

    private fun dealt(writers: Int): IntRange = writers * rank / rankCount until writers * (rank + 1) / rankCount

    /** Owners get their rows in the order in which they were stored. */
    private fun inheritedIds(writers: Int): List<Long> {
        if (writers == rankCount) return idsOf(rank, rankCount)
        return (0 until writers).flatMap { idsOf(it, writers) }.filter { it % rankCount == rank.toLong() }
    }

    /** Nearly equal shares, of which the first ones are the larger ones. */
    private fun inheritedHits(step: Long, writers: Int): List<Int> {
        if (writers == rankCount) return hitsOf(rank, step)
        val all = (0 until writers).flatMap { hitsOf(it, step) }
        val start = all.size / rankCount * rank + minOf(rank, all.size % rankCount)
        return all.drop(start).take(all.size / rankCount + if (rank < all.size % rankCount) 1 else 0)
    }

    private fun inheritedMass(step: Long, writers: Int): Long =
        when {
            writers == rankCount -> massOf(rank, step)
            rank == 0 -> (0 until writers).sumOf { massOf(it, step) }
            else -> 0
        }

    companion object {
        val OUTPUT: Path = PARENT.resolve("energies.txt")
        private const val NOTHING = -1L
        private const val ROW_COUNT = 11L

        fun idsOf(rank: Int, rankCount: Int): List<Long> = (rank until ROW_COUNT step rankCount.toLong()).toList()

        fun xOf(id: Long, step: Long): Double = step * 1000 + id * 0.5 + 1.0 / (id + 3)

        fun kindOf(id: Long, step: Long): Byte = (id * 37 + step).toByte()

        /** One, two or none. */
        fun hitsOf(rank: Int, step: Long): List<Int> = List((rank + 1) % 3) { (step * 100 + rank * 10 + it).toInt() }

        fun massOf(rank: Int, step: Long): Long = step * 100 + rank

        fun marksOf(rank: Int, step: Long): List<Long> = listOf(step, 100L + rank)

        fun noteOf(rank: Int, step: Long): String = "rank $rank at step $step"

        fun seedAt(step: Long): Long = step * -0x0123_4567_89ab_cdefL

        /** Rank 0 has nothing at every second step. */
        fun logOf(rank: Int, step: Long): ByteArray =
            ByteArray((3 * rank + step % 2).toInt()) { (rank * 31 + it * 7 + step).toByte() }

        fun outputAt(step: Long): ByteArray = (1..step).joinToString("") { "step $it\n" }.encodeToByteArray()
    }
}
