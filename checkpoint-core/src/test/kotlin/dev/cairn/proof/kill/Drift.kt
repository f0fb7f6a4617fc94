package dev.cairn.proof.kill

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.dedicate
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.longsOf
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ElementType
import java.io.Writer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.security.MessageDigest
import java.util.HexFormat

/**
 * One rank's share of a program with most kinds of state, each bit of which depends on all the steps before: chaotic cells,
 * particles that they push, sums over them, and a journal that rank 0 keeps open.
 */
internal class Drift(private val ranks: Communicator, private val journal: Path) {
    private val box = Decomposition.rows(SHAPE, ranks.size).boxes(ranks.rank).first()
    private val cells = DoubleArray(box.cellCount().toInt()) { (box.start(0) * SHAPE.extent(1) + it + 1) / 5000.0 }
    private var ids =
        LongArray(
            PARTICLES,
        ) { it.toLong() }.filter { it % ranks.size == ranks.rank.toLong() }.toLongArray()
    private var places = DoubleArray(ids.size) { ids[it] / PARTICLES.toDouble() }
    private var crossings = 0L
    private var history = 0L
    private var lines: Writer? = null

    fun declare(builder: StateBuilder) =
        with(builder) {
            field("cells", SHAPE, ElementType.DOUBLE) { block(box, cells) }
            table("particles") {
                column("id", { ids }, { ids = it })
                column("place", { places }, { places = it })
                owner { row, rankCount -> (row.getDouble("place") * rankCount).toInt() }
                uniqueIds("id")
            }
            replicated("history", { history }, { history = it })
            accumulator("crossings", { crossings }, { crossings = it }, 0L, Long::plus)
            appendedFile("journal", journal) { lines?.flush() }
        }

    /** If nothing [isRestored], what an earlier attempt may have written is not part of this run. */
    fun begin(isRestored: Boolean) {
        if (ranks.rank != 0) return
        if (!isRestored) Files.deleteIfExists(journal)
        lines = Files.newBufferedWriter(journal, CREATE, APPEND)
    }

    fun end() {
        lines?.close()
    }

    /** Collective. */
    suspend fun advance(step: Long) {
        for (index in cells.indices) cells[index] = 3.9 * cells[index] * (1 - cells[index])
        for (index in places.indices) move(index)
        history = history * 31 + ranks.allReduce(bits(cells).sum() + bits(places).sum(), Long::plus)
        lines?.write("step $step: $history\n")
    }

    private fun move(index: Int) {
        val next = places[index] + (ids[index] % 7 + 1) * 0.01 * (1 + (history and 3))
        if (next >= 1) crossings++
        places[index] = next % 1.0
    }

    /** Collective: a digest of all state, the same on any number of ranks; on rank 0. */
    suspend fun result(): String {
        val particles = gathered(ids).zip(gathered(bits(places))).sortedBy { (id, _) -> id }
        val state = gathered(bits(cells)) + particles + history + ranks.allReduce(crossings, Long::plus)
        val digest = MessageDigest.getInstance("SHA-256").digest(state.joinToString().encodeToByteArray())
        return HexFormat.of().formatHex(digest)
    }

    private suspend fun gathered(own: LongArray) = ranks.gather(0, bytesOf(*own)).flatMap { longsOf(it).toList() }

    private fun bits(numbers: DoubleArray) = LongArray(numbers.size) { numbers[it].toRawBits() }

    companion object {
        const val STEPS = 12L
        const val EVERY = 2
        private const val PARTICLES = 100
        private val SHAPE: Shape = Shape.of(64, 50)

        /** Where the program in [directory] keeps its journal. */
        fun journal(directory: Path): Path = directory.resolveSibling("${directory.fileName}.journal")

        /** The directory of its host for saves that wait until they are there. */
        fun disk(directory: Path): Path = directory.resolveSibling("${directory.fileName}.disk")
    }
}

/** Three physical files, made durable, and only two checkpoints are kept. */
private val OPTIONS =
    CheckpointOptions {
        files = DataFiles.count(3)
        blockSize = 512
    }

/** Collective: walks through all steps that are left, and says what it does. */
private suspend fun Communicator.drift(
    directory: Path,
    options: CheckpointOptions,
    files: ReportingStore,
    wait: Wait,
    dedicated: DedicatedRanks? = null,
    say: (String) -> Unit,
) {
    val drift = Drift(this, Drift.journal(directory))
    val withWait =
        CheckpointOptions(options) {
            if (wait == Wait.LOCAL) this.wait(wait).local(Drift.disk(directory))
        }
    checkpoints(directory, withWait, files, dedicated) { drift.declare(this) }.use { checkpoints ->
        val restored = checkpoints.restore()
        drift.begin(isRestored = restored != null)
        val first = restored?.step ?: 0
        for (step in first + 1..Drift.STEPS) {
            say("step $step")
            drift.advance(step)
            if (step % Drift.EVERY == 0L) {
                if (wait == Wait.COMMITTED) checkpoints.save(step) else checkpoints.saveAsync(step)
            }
            checkpoints.progress()
        }
        drift.end()
        say("result ${drift.result()}")
    }
}

/** How long a save blocks the program: [arguments] may have "behind", "dedicated" or "local". */
internal fun waitIn(arguments: Array<String>): Wait =
    when {
        "behind" in arguments || DEDICATED in arguments -> Wait.COPIED
        "local" in arguments -> Wait.LOCAL
        else -> Wait.COMMITTED
    }

/** Directory, number of ranks, the [Pause] or an empty word, and "take-over", "behind" or "local" or nothing. */
fun main(arguments: Array<String>) {
    val directory = Path.of(arguments[0])
    val pipe = EventPipe(Pause.parse(arguments[2]))
    val files = ReportingStore(FileBlockStore(), directory, pipe::say)
    val options = CheckpointOptions(OPTIONS) { takeOver = "take-over" in arguments }
    runRanks(arguments[1].toInt()) {
        drift(directory, options, files, waitIn(arguments)) { if (rank == 0) pipe.say(it) }
    }
}

/**
 * The same on every rank of this program, wherever they are; each process keeps an [EventLog]. With "dedicated" among the [arguments], the
 * rank in the middle writes for the others.
 */
internal suspend fun driftWithEventLogs(directory: Path, arguments: Array<String>, endOf: (rank: Int) -> ProcessEnd) {
    everyRank(1) {
        val log = EventLog(EventLog.of(directory, rank), endOf(rank))
        val files = ReportingStore(FileBlockStore(), directory, log::write)
        val wait = waitIn(arguments)
        if (DEDICATED in arguments && size > 1) {
            dedicate(Concentrators.ranks(size / 2), files) { drift(directory, OPTIONS, files, wait, it, log::write) }
        } else {
            drift(directory, OPTIONS, files, wait, say = log::write)
        }
    }
}

private const val DEDICATED = "dedicated"
