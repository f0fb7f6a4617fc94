package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.baseline.readKryo
import dev.cairn.benchmarks.baseline.readObjects
import dev.cairn.benchmarks.baseline.writeKryo
import dev.cairn.benchmarks.baseline.writeObjects
import dev.cairn.benchmarks.report.LimitResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.RateResult
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import kotlinx.serialization.Serializable
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteExisting
import kotlin.io.path.deleteRecursively
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile
import kotlin.io.path.walk

/**
 * Arrays inside values, saved and restored by four ranks, against serializers that write the arrays alone: values of each rank's
 * own, each in a file of its own on both sides, and a value that is the same on all ranks.
 */
internal fun benchValues(bench: Bench) {
    ValuesContest(bench).run {
        compareSaving()
        compareRestoring()
        measureReplicated()
    }
}

/** A value of a program, which consists mostly of an array. */
@Serializable
private class Cloud(val name: String, val mass: DoubleArray)

private class ValuesContest(private val bench: Bench) {
    private val directory: Path = bench.directory.resolve("values.cairn")
    private val files = List(RANK_COUNT) { bench.directory.resolve("bare.$it") }
    private val byteCount = bench.scale.streamBytes / SHARE
    private val arrays =
        List(RANK_COUNT) { rank ->
            DoubleArray((byteCount / RANK_COUNT / Double.SIZE_BYTES).toInt()) { rank + it * 0.5 }
        }
    private val size = "$byteCount bytes in values of $RANK_COUNT ranks"

    fun compareSaving() {
        val ours = Side({ save() }) { directory.deleteAll() }
        val kryo = Side({ writeKryo(files, arrays, bench.isOnDisk) }) { files.forEach { it.deleteExisting() } }
        val objects = Side({ writeObjects(files, arrays, bench.isOnDisk) }) { files.forEach { it.deleteExisting() } }
        val result = compare("save $size, against Kryo", ours, kryo)
        compare("save $size, against ObjectOutputStream", ours, objects)
        report("save $size", result.oursSeconds)
    }

    fun compareRestoring() {
        save()
        bench.report(LimitResult("bytes on disk for each byte of the arrays", sizeOnDisk(), "bytes", MOST_SIZE))
        writeKryo(files, arrays, isForced = false)
        val result = compare("restore $size, against Kryo", Side(::restore), Side({ readKryo(files) }))
        files.forEach { it.deleteExisting() }
        writeObjects(files, arrays, isForced = false)
        compare("restore $size, against ObjectInputStream", Side(::restore), Side({ readObjects(files) }))
        files.forEach { it.deleteExisting() }
        directory.deleteAll()
        report("restore $size", result.oursSeconds)
    }

    /** All ranks encode their copies, whose digests are compared, and receive the value from rank 0. So all copies count. */
    fun measureReplicated() {
        val clouds = arrayOf(Cloud("first", arrays[0]))
        val saving = mutableListOf<Double>()
        val restoring = mutableListOf<Double>()
        repeat(bench.warmUpPairs + bench.pairCount) { round ->
            val save = Side({ replicated(clouds) { it.save(1) } }).seconds()
            val restore = Side({ replicated(clouds) { checkNotNull(it.restore()) } }).seconds()
            check(clouds[0].mass.contentEquals(arrays[0])) { "the replicated value came back otherwise" }
            directory.deleteAll()
            if (round >= bench.warmUpPairs) {
                saving += save
                restoring += restore
            }
        }
        val job = "$byteCount bytes in a value that all $RANK_COUNT ranks have"
        report("save $job", Quartiles.of(saving))
        report("restore $job", Quartiles.of(restoring))
    }

    private fun report(job: String, seconds: Quartiles) = bench.report(RateResult(job, seconds, byteCount, LEAST_RATE))

    private fun compare(job: String, ours: Side, baseline: Side) = bench.compare(job, atLeast = 1.0, ours, baseline)

    private fun save() = runRanks(RANK_COUNT) { open(Cloud("of rank $rank", arrays[rank])) {}.use { it.save(1) } }

    private fun restore() {
        runRanks(RANK_COUNT) {
            var found: Cloud? = null
            open(Cloud("", DoubleArray(0))) { found = it }.use { it.restore() }
            check(found!!.mass.contentEquals(arrays[rank])) { "the value of rank $rank came back otherwise" }
        }
    }

    private suspend fun Communicator.open(first: Cloud, set: (Cloud) -> Unit) =
        checkpoints(directory, options) { perRank("cloud", { first }, set) }

    private fun replicated(clouds: Array<Cloud>, use: suspend (Checkpoints) -> Unit) {
        runRanks(RANK_COUNT) {
            checkpoints(directory, options) {
                replicated("cloud", { clouds[0] }, { if (rank == 0) clouds[0] = it })
            }.use { use(it) }
        }
    }

    private val options get() =
        CheckpointOptions {
            files = DataFiles.count(RANK_COUNT)
            blockSize = Scale.BLOCK_SIZE
            durability = if (bench.isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER
        }

    @OptIn(ExperimentalPathApi::class)
    private fun sizeOnDisk(): Quartiles {
        val sizes = directory.walk().filter { it.isRegularFile() }.map { it.fileSize() }
        return Quartiles.of(listOf(sizes.sum().toDouble() / byteCount))
    }

    @OptIn(ExperimentalPathApi::class)
    private fun Path.deleteAll() = deleteRecursively()

    private companion object {
        const val RANK_COUNT = 4

        /** A value is in memory twice during a save, so there are fewer bytes than in the section checkpoint. */
        const val SHARE = 4

        /** In megabytes per second, and in bytes on disk per byte of the arrays. */
        const val LEAST_RATE = 500.0
        const val MOST_SIZE = 1.02
    }
}
