package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.ranks.runRanks
import java.nio.file.Path

/**
 * A field of doubles on four ranks, saved and restored, against bare channels and against serializers. Both sides have a file for
 * each rank, and both force them if they are on a disk.
 */
internal fun benchCheckpoint(bench: Bench) {
    CheckpointContest(bench).run {
        compareSaving()
        save()
        compareRestoring()
        directory.deleteAll()
    }
}

private class CheckpointContest(private val bench: Bench) {
    val directory: Path = bench.directory.resolve("bench.cairn")
    private val field = SavedField(bench.scale.streamBytes, RANK_COUNT).apply { begin() }
    private val peers = PeerFiles(bench, field.arrays)
    private val size = "${field.byteCount} bytes on $RANK_COUNT ranks"

    fun compareSaving() {
        val ours = Side({ save() }) { directory.deleteAll() }
        for (peer in Peer.entries) {
            val goal = if (peer == Peer.BARE_CHANNELS) 0.75 else 1.0
            bench.compare("save $size, against $peer", goal, ours, peers.writing(peer))
        }
    }

    fun save() = onRanks(field) { it.save(1) }

    fun compareRestoring() {
        val same = Side({ restore(field) }) { checkAndSpoil(field) }
        for (peer in Peer.entries) {
            restore(field)
            val goal = if (peer == Peer.BARE_CHANNELS) 0.42 else 1.0
            peers.reading(peer) { bench.compare("restore $size, against $peer", goal, same, it) }
        }
        val fewer = SavedField(field.byteCount, RANK_COUNT - 1)
        val others = Side({ restore(fewer) }) { checkAndSpoil(fewer) }
        bench.compare("restore $size on ${fewer.rankCount} ranks, against the same ranks", 1 / 1.5, others, same)
    }

    private fun restore(field: SavedField) = onRanks(field) { checkNotNull(it.restore()) }

    private fun onRanks(field: SavedField, use: suspend (Checkpoints) -> Unit) {
        runRanks(field.rankCount) {
            checkpoints(directory, bench.options(RANK_COUNT)) { field.declare(this, rank) }.use { use(it) }
        }
    }

    /** Overwrites some cells afterwards, so that the next check fails unless they are restored. */
    private fun checkAndSpoil(restored: SavedField) {
        val cellsPerWriter = field.byteCount / Double.SIZE_BYTES / RANK_COUNT
        var cell = 0L
        for (array in restored.arrays) {
            for (value in array) check(value == (cell++ % cellsPerWriter) * 0.5) { "cell ${cell - 1} is $value" }
            for (index in array.indices step SPOILED_STEP) array[index] = -1.0
        }
    }

    private companion object {
        const val RANK_COUNT = 4
        const val SPOILED_STEP = 512
    }
}
