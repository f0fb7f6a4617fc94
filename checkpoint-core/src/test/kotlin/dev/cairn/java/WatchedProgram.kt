package dev.cairn.java

import dev.cairn.NetcdfBuilder
import dev.cairn.NetcdfOutput
import dev.cairn.StateBuilder
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.event.CheckpointEvent
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Codec
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import dev.cairn.store.PARENT
import io.kotest.matchers.collections.shouldBeEmpty
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.function.Consumer

/** All functions of a program that have run, and those that did not run on the thread of their rank's body. */
internal class Watch {
    val seen: MutableSet<String> = ConcurrentHashMap.newKeySet()
    val strays = ConcurrentLinkedQueue<String>()

    /** The program as a simulation, up to the step [until]. */
    fun simulate(sim: BlockingSimulation, until: Long, output: Path? = WatchedProgram.OUTPUT) {
        val program = WatchedProgram(this, sim.rank, sim.size)
        sim.listen(program.listener)
        program.declareState(sim)
        val file = output?.let { sim.netcdf(it) { program.declareOutput(this) }.named("out").value }
        for (step in sim.steps(until)) file?.let(sim.ranks::append)
    }

    /** Each of [functions] has run, and all on the thread of their rank. */
    fun requireAll(functions: List<String> = WatchedProgram.STATE + WatchedProgram.OF_OUTPUT) {
        strays.distinct().shouldBeEmpty()
        (functions - seen).shouldBeEmpty()
    }
}

/**
 * A program with state of every kind, each function of which notes its thread. Made on the thread of the body of [rank]; [size]
 * ranks have dealt the field among them.
 */
internal class WatchedProgram(private val watch: Watch, private val rank: Int, private val size: Int) {
    private val own = Thread.currentThread()
    private var ids = longArrayOf(2L * rank, 2L * rank + 1)
    private var grains = listOf(Grain(rank.toLong(), 0.5))
    private val box = Decomposition.rows(SHAPE, size).boxes(rank).single()
    private val cells = LongArray(box.cellCount().toInt()) { it + 10L * rank }

    val listener = Consumer<CheckpointEvent> { run("hear ${it.javaClass.simpleName}") {} }

    private fun <T> run(function: String, code: () -> T): T {
        val thread = Thread.currentThread()
        watch.seen += function
        if (thread !== own) watch.strays += "$function of rank $rank on '${thread.name}'"
        return code()
    }

    fun declareState(state: StateBuilder) {
        state.run {
            beforeSave { run("beforeSave") {} }
            afterRestore { run("afterRestore") {} }
            replicated("n", codec("n"), { run("get n") { 3L } }, { run("set n") {} })
            val merge = PerRankRule.Merge<Long> { run("merge own") { it.sum() } }
            perRank("own", codec("own"), { run("get own") { 4L } }, { run("set own") {} }, merge)
            val set = { _: Long -> run("set sum") {} }
            accumulator("sum", codec("sum"), { run("get sum") { 5L } }, set, 0L, { a, b -> run("merge sum") { a + b } })
            field("u", SHAPE, ElementType.LONG) { run("blocks of u") { block(box, cells) } }
            table("dust") {
                rows({ run("row count of dust") { ids.size } }, { run("set row count of dust") {} })
                column("id", { run("get ids") { ids } }, { run("set ids") { ids = it } })
                owner { row, count -> run("owner of dust") { (row.getLong("id") % count).toInt() } }
                uniqueIds("id")
            }
            rows("grains", { run("get grains") { grains } }, { run("set grains") { grains = it } }) {
                owner { grain, count -> run("owner of grains") { (grain.id % count).toInt() } }
            }
            val deal = StreamRule.Deal { all -> run("deal log") { all.forEach { it.readAllBytes() } } }
            stream("log", { run("write log") { it.write(7) } }, { run("read log") { it.readAllBytes() } }, deal)
        }
    }

    fun declareOutput(netcdf: NetcdfBuilder) {
        val rows = (0L until ROWS).filter { it % size == rank.toLong() }
        netcdf.variable("time") { run("get time") { 0.5 } }
        netcdf.variable("v", Shape.of(ROWS), ElementType.LONG) {
            run("blocks of v") { rows.forEach { block(Box.of(longArrayOf(it), longArrayOf(1)), longArrayOf(it)) } }
        }
        netcdf.table("row", ROWS, { run("rows of a table") { rows } }, { run("id of a row") { it } }) {
            variable("value") { run("value of a row") { it + 0.5 } }
        }
    }

    private fun codec(name: String) =
        object : Codec<Long> {
            override val format get() = run("format of $name") { Codecs.LONG.format }

            override fun encode(value: Long) = run("encode $name") { Codecs.LONG.encode(value) }

            override fun decode(bytes: ByteBuffer) = run("decode $name") { Codecs.LONG.decode(bytes) }
        }

    /** Has a loop of its own, up to the step [until]; saves after each step, and begins where the last run ended. */
    fun runOwnLoop(
        ranks: BlockingCommunicator,
        files: BlockStore,
        options: CheckpointOptions,
        until: Long,
        dedicated: DedicatedRanks? = null,
        directory: Path = PARENT.resolve("watched.cairn"),
        isOver: (Long) -> Boolean = { false },
    ) {
        lateinit var output: NetcdfOutput
        BlockingCheckpoints
            .open(ranks, directory, CheckpointOptions(options) { listener(listener) }, files, dedicated) { state ->
                declareState(state)
                output = state.netcdf(OUTPUT) { declareOutput(this) }.named("out").value
            }.use { checkpoints ->
                val first = checkpoints.restore().map { it.step }.orElse(0)
                for (step in first + 1..until) {
                    ranks.append(output)
                    if (dedicated == null) checkpoints.trySave(step) else checkpoints.saveAsync(step)
                    checkpoints.progress()
                    if (isOver(step)) break
                }
                ranks.flush(output)
                checkpoints.awaitSaves()
            }
    }

    companion object {
        val OUTPUT: Path = PARENT.resolve("out.nc")
        private const val ROWS = 6L
        private val SHAPE = Shape.of(12, 2)

        /** The functions that a save calls, and a restore on as many ranks and on others. */
        val STATE =
            listOf("n", "own", "sum").flatMap {
                listOf("get", "set", "format of", "encode", "decode").map { f ->
                    "$f $it"
                }
            } +
                listOf("merge own", "merge sum", "blocks of u", "row count of dust", "set row count of dust") +
                listOf("get ids", "set ids", "owner of dust", "get grains", "set grains", "owner of grains") +
                listOf("write log", "read log", "deal log", "beforeSave", "afterRestore") +
                listOf("Started", "Begun", "Saved", "Restored", "Ended").map { "hear $it" }

        /** The functions that an append to the output calls. */
        val OF_OUTPUT = listOf("get time", "blocks of v", "rows of a table", "id of a row", "value of a row")
    }
}

@JvmRecord
internal data class Grain(val id: Long, val mass: Double)
