package dev.cairn.benchmarks.sections

import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.benchmarks.baseline.ForyGraph
import dev.cairn.benchmarks.baseline.GraphFile
import dev.cairn.benchmarks.baseline.KryoGraph
import dev.cairn.benchmarks.baseline.ObjectStreamGraph
import dev.cairn.benchmarks.baseline.force
import dev.cairn.benchmarks.payload.Agent
import dev.cairn.benchmarks.payload.Body
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile
import kotlin.io.path.walk

/**
 * A graph of objects, and objects as rows of a table, saved and restored by one process, against libraries that write them into a bare
 * file, without checksums.
 */
internal fun benchObjects(bench: Bench) {
    val count = bench.scale.objectCount
    val graph =
        ObjectContest(bench, "$count objects with 10 references each", Agent.some(count), Agent::sumOf) { get, set ->
            graph("agents", get, set)
        }
    graph.run(leastSave = 0.9, leastRestore = 0.9)
    val rows =
        ObjectContest(bench, "$count rows with 2 references each", Body.some(count), Body::sumOf) { get, set ->
            rows("bodies", Body::class.java, { get().asList() }, { set(it.toTypedArray()) }) { uniqueIds("id") }
        }
    rows.run(leastSave = 1.5, leastRestore = 1.0)
}

private class ObjectContest<T>(
    private val bench: Bench,
    private val size: String,
    private val objects: Array<T>,
    private val sumOf: (Array<T>) -> Long,
    private val declare: SoloState.(get: () -> Array<T>, set: (Array<T>) -> Unit) -> Unit,
) {
    private val sum = sumOf(objects)
    private val store = bench.directory.resolve("objects.cairn")
    private val bare = bench.directory.resolve("objects.bare")
    private val peers =
        mapOf("Kryo" to KryoGraph(objects), "Fory" to ForyGraph(objects), "object streams" to ObjectStreamGraph())

    fun run(leastSave: Double, leastRestore: Double) {
        compareSaving(leastSave)
        compareRestoring(leastRestore)
        measureBytes()
        bench.directory.clear()
    }

    /** The first save of a run reads back what it has written, so it is not timed. */
    private fun compareSaving(least: Double) =
        alone { checkpoints ->
            checkpoints.save(1)
            var step = 1L
            val ours = Side({ runBlocking { checkpoints.save(++step) } })
            for ((name, peer) in peers) {
                bench.compare("save $size, against $name", least, ours, Side({ write(peer) }) { bare.deleteExisting() })
            }
        }

    @Suppress("UNCHECKED_CAST") // What was written.
    private fun compareRestoring(least: Double) {
        for ((name, peer) in peers) {
            write(peer)
            val theirs = Side({ check(peer.read(bare) as Array<T>) })
            bench.compare("restore $size, against $name", least, Side(::restore), theirs)
            bare.deleteExisting()
        }
    }

    private fun measureBytes() {
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
        peer.write(bare, objects)
        if (bench.isOnDisk) bare.force()
    }

    private fun restore() {
        var found = objects
        alone({ found }, { found = it }) { it.restore() }
        check(found !== objects) { "no objects came back" }
        check(found)
    }

    private fun check(found: Array<T>) = check(sumOf(found) == sum) { "other objects came back" }

    private fun alone(
        get: () -> Array<T> = { objects },
        set: (Array<T>) -> Unit = {},
        use: suspend (SoloCheckpoints) -> Unit,
    ) = runBlocking {
        SoloCheckpoints
            .open(
                store,
                bench.options(fileCount = 1),
            ) { declare(get, set) }
            .use { use(it) }
    }

    private companion object {
        const val MOST_BYTES = 1.1
    }
}
