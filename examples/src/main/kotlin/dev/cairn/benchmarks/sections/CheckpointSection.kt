package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.baseline.readBareArrays
import dev.cairn.benchmarks.baseline.readKryo
import dev.cairn.benchmarks.baseline.readObjects
import dev.cairn.benchmarks.baseline.writeBareArrays
import dev.cairn.benchmarks.baseline.writeKryo
import dev.cairn.benchmarks.baseline.writeObjects
import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.state.ElementType
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteExisting
import kotlin.io.path.deleteRecursively

/**
 * A field of doubles on four ranks, saved and restored, against bare channels and against serializers. Both sides have a file for
 * each rank, and both force them if they are on a disk.
 */
internal fun benchCheckpoint(bench: Bench) {
    CheckpointContest(bench).run {
        compareSaving()
        compareRestoring()
        directory.deleteAll()
    }
}

private class CheckpointContest(private val bench: Bench) {
    val directory: Path = bench.directory.resolve("bench.cairn")
    private val shape = Shape.of(bench.scale.streamBytes / Double.SIZE_BYTES)
    private val files = List(RANK_COUNT) { bench.directory.resolve("bare.$it") }
    private val arrays = arraysFor(RANK_COUNT).onEach { array -> array.indices.forEach { array[it] = it * 0.5 } }
    private val size = "${bench.scale.streamBytes} bytes on $RANK_COUNT ranks"

    fun compareSaving() {
        val ours = Side({ save() }) { directory.deleteAll() }
        val bare = Side({ writeBareArrays(files, arrays, bench.isOnDisk) }) { files.forEach { it.deleteExisting() } }
        val objects = Side({ writeObjects(files, arrays, bench.isOnDisk) }) { files.forEach { it.deleteExisting() } }
        val kryo = Side({ writeKryo(files, arrays, bench.isOnDisk) }) { files.forEach { it.deleteExisting() } }
        bench.compare("save $size, against bare channels", 0.75, ours, bare)
        bench.compare("save $size, against ObjectOutputStream", 1.0, ours, objects)
        bench.compare("save $size, against Kryo", 1.0, ours, kryo)
    }

    fun compareRestoring() {
        save()
        writeBareArrays(files, arrays, isForced = false)
        val same = Side({ restore(arrays) }) { checkAndSpoil(arrays) }
        bench.compare("restore $size, against bare channels", 0.42, same, Side({ readBareArrays(files, arrays) }))
        files.forEach { it.deleteExisting() }
        restore(arrays)
        writeObjects(files, arrays, isForced = false)
        bench.compare("restore $size, against ObjectInputStream", 1.0, same, Side({ readObjects(files) }))
        files.forEach { it.deleteExisting() }
        writeKryo(files, arrays, isForced = false)
        bench.compare("restore $size, against Kryo", 1.0, same, Side({ readKryo(files) }))
        files.forEach { it.deleteExisting() }
        val fewer = arraysFor(RANK_COUNT - 1)
        val others = Side({ restore(fewer) }) { checkAndSpoil(fewer) }
        bench.compare("restore $size on ${fewer.size} ranks, against the same ranks", 1 / 1.5, others, same)
    }

    private fun arraysFor(rankCount: Int): List<DoubleArray> {
        val rows = Decomposition.rows(shape, rankCount)
        return List(rankCount) { rank -> DoubleArray(rows.boxes(rank).sumOf { it.cellCount() }.toInt()) }
    }

    private fun save() = onRanks(arrays) { it.save(1) }

    private fun restore(arrays: List<DoubleArray>) = onRanks(arrays) { checkNotNull(it.restore()) }

    private fun onRanks(arrays: List<DoubleArray>, use: suspend (Checkpoints) -> Unit) {
        val durability = if (bench.isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER
        val options =
            CheckpointOptions {
                files = DataFiles.count(RANK_COUNT)
                blockSize = Scale.BLOCK_SIZE
                this.durability = durability
            }
        runRanks(arrays.size) {
            val rows = Decomposition.rows(shape, size).boxes(rank)
            checkpoints(directory, options) {
                field("state", shape, ElementType.DOUBLE) { rows.forEach { block(it, arrays[rank]) } }
            }.use { use(it) }
        }
    }

    /** Overwrites some cells afterwards, so that the next check fails unless they are restored. */
    private fun checkAndSpoil(arrays: List<DoubleArray>) {
        val cellsPerWriter = shape.cellCount() / RANK_COUNT
        var cell = 0L
        for (array in arrays) {
            for (value in array) check(value == (cell++ % cellsPerWriter) * 0.5) { "cell ${cell - 1} is $value" }
            for (index in array.indices step SPOILED_STEP) array[index] = -1.0
        }
    }

    private companion object {
        const val RANK_COUNT = 4
        const val SPOILED_STEP = 512
    }
}

@OptIn(ExperimentalPathApi::class)
private fun Path.deleteAll() = deleteRecursively()
