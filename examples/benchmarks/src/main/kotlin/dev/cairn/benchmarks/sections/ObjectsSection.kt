package dev.cairn.benchmarks.sections

import dev.cairn.SoloCheckpoints
import dev.cairn.benchmarks.baseline.ForyGraph
import dev.cairn.benchmarks.baseline.GraphFile
import dev.cairn.benchmarks.baseline.KryoGraph
import dev.cairn.benchmarks.baseline.ObjectStreamGraph
import dev.cairn.benchmarks.baseline.force
import dev.cairn.benchmarks.payload.Agent
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile
import kotlin.io.path.walk

/** A graph of objects, saved and restored by one process, against libraries that write it into a bare file, without checksums. */
internal fun benchObjects(bench: Bench) {
    val contest = GraphContest(bench)
    contest.compareSaving()
    contest.compareRestoring()
    contest.measureBytes()
    bench.directory.clear()
}

private class GraphContest(private val bench: Bench) {
    private val agents = Agent.some(bench.scale.objectCount)
    private val sum = Agent.sumOf(agents)
    private val store = bench.directory.resolve("graph.cairn")
    private val bare = bench.directory.resolve("graph.bare")
    private val size = "${agents.size} objects with 10 references each"
    private val peers =
        mapOf("Kryo" to KryoGraph(), "Fory" to ForyGraph(), "object streams" to ObjectStreamGraph())

    /** The first save of a run reads back what it has written, so it is not timed. */
    fun compareSaving() =
        alone { checkpoints ->
            checkpoints.save(1)
            var step = 1L
            val ours = Side({ runBlocking { checkpoints.save(++step) } })
            for ((name, peer) in peers) {
                bench.compare("save $size, against $name", LEAST, ours, Side({ write(peer) }) { bare.deleteExisting() })
            }
        }

    fun compareRestoring() {
        for ((name, peer) in peers) {
            write(peer)
            bench.compare("restore $size, against $name", LEAST, Side(::restore), Side({ check(peer.read(bare)) }))
            bare.deleteExisting()
        }
    }

    fun measureBytes() {
        val smallest = peers.values.minOf { write(it).run { bare.fileSize() } }
        bare.deleteExisting()
        val data =
            store.walk().filter { it.isRegularFile() }.groupBy { it.parent }.values.maxOf { all ->
                all.sumOf { it.fileSize() }
            }
        val times = Quartiles.of(listOf(data.toDouble() / smallest))
        bench.report(Figure("bytes of $size, against the smallest", times, "times", AtMost(MOST_BYTES)))
    }

    private fun write(peer: GraphFile) {
        peer.write(bare, agents)
        if (bench.isOnDisk) bare.force()
    }

    private fun restore() {
        var found = agents
        alone({ found }, { found = it }) { it.restore() }
        check(found !== agents) { "no agents came back" }
        check(found)
    }

    private fun check(found: Array<Agent>) = check(Agent.sumOf(found) == sum) { "other agents came back" }

    private fun alone(
        get: () -> Array<Agent> = { agents },
        set: (Array<Agent>) -> Unit = {},
        use: suspend (SoloCheckpoints) -> Unit,
    ) = runBlocking {
        SoloCheckpoints
            .open(
                store,
                bench.options(fileCount = 1),
            ) { graph("agents", get, set) }
            .use { use(it) }
    }

    private companion object {
        const val LEAST = 0.9
        const val MOST_BYTES = 1.1
    }
}
