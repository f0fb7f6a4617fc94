package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.report.AtLeast
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.checkpoints
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks
import kotlinx.serialization.Serializable
import java.nio.file.Path
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
    private val byteCount = bench.scale.streamBytes / SHARE
    private val arrays =
        List(RANK_COUNT) { rank ->
            DoubleArray((byteCount / RANK_COUNT / Double.SIZE_BYTES).toInt()) { rank + it * 0.5 }
        }
    private val peers = PeerFiles(bench, arrays)
    private val size = "$byteCount bytes in values of $RANK_COUNT ranks"

    fun compareSaving() {
        val ours = Side({ save() }) { directory.deleteAll() }
        val results = PEERS.map { bench.compare("save $size, against $it", 1.0, ours, peers.writing(it)) }
        report("save $size", results.first().oursSeconds)
    }

    fun compareRestoring() {
        save()
        bench.report(Figure("bytes on disk for each byte of the arrays", sizeOnDisk(), "bytes", AtMost(MOST_SIZE)))
        val results =
            PEERS.map { peer ->
                peers.reading(peer) { bench.compare("restore $size, against $peer", 1.0, Side(::restore), it) }
            }
        directory.deleteAll()
        report("restore $size", results.first().oursSeconds)
    }

    /** All ranks encode their copies, whose digests are compared, and receive the value from rank 0. So all copies count. */
    fun measureReplicated() {
        val clouds = arrayOf(Cloud("first", arrays[0]))
        val rounds =
            List(bench.warmUpPairs + bench.pairCount) {
                val save = Side({ replicated(clouds) { it.save(1) } }).seconds()
                val restore = Side({ replicated(clouds) { checkNotNull(it.restore()) } }).seconds()
                check(clouds[0].mass.contentEquals(arrays[0])) { "the replicated value came back otherwise" }
                directory.deleteAll()
                save to restore
            }.drop(bench.warmUpPairs)
        val job = "$byteCount bytes in a value that all $RANK_COUNT ranks have"
        report("save $job", Quartiles.of(rounds.map { it.first }))
        report("restore $job", Quartiles.of(rounds.map { it.second }))
    }

    private fun report(job: String, seconds: Quartiles) {
        val rate = Quartiles.of(listOf(seconds.upper, seconds.median, seconds.lower).map { byteCount / it / 1e6 })
        bench.report(Figure(job, rate, "MB/s", AtLeast(LEAST_RATE)))
    }

    private fun save() = runRanks(RANK_COUNT) { open(Cloud("of rank $rank", arrays[rank])) {}.use { it.save(1) } }

    private fun restore() {
        runRanks(RANK_COUNT) {
            var found: Cloud? = null
            open(Cloud("", DoubleArray(0))) { found = it }.use { it.restore() }
            check(found!!.mass.contentEquals(arrays[rank])) { "the value of rank $rank came back otherwise" }
        }
    }

    private suspend fun Communicator.open(first: Cloud, set: (Cloud) -> Unit) =
        checkpoints(directory, bench.options(RANK_COUNT)) { perRank("cloud", { first }, set) }

    private fun replicated(clouds: Array<Cloud>, use: suspend (Checkpoints) -> Unit) {
        runRanks(RANK_COUNT) {
            checkpoints(directory, bench.options(RANK_COUNT)) {
                replicated("cloud", { clouds[0] }, { if (rank == 0) clouds[0] = it })
            }.use { use(it) }
        }
    }

    private fun sizeOnDisk(): Quartiles {
        val sizes = directory.walk().filter { it.isRegularFile() }.map { it.fileSize() }
        return Quartiles.of(listOf(sizes.sum().toDouble() / byteCount))
    }

    private companion object {
        const val RANK_COUNT = 4
        val PEERS = listOf(Peer.KRYO, Peer.OBJECT_STREAMS)

        /** A value is in memory twice during a save, so there are fewer bytes than in the section checkpoint. */
        const val SHARE = 4

        /** In megabytes per second, and in bytes on disk per byte of the arrays. */
        const val LEAST_RATE = 500.0
        const val MOST_SIZE = 1.02
    }
}
