package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.readAheadStream
import dev.cairn.benchmarks.baseline.readBareStream
import dev.cairn.benchmarks.baseline.writeBareStream
import dev.cairn.benchmarks.baseline.writeGatheredStream
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import java.nio.file.Path
import kotlin.io.path.deleteExisting

/** Many bytes through one task's stream, against the same bytes through a bare channel. */
internal fun benchStream(bench: Bench) {
    val large = Payload.of(bench.scale.streamBytes, bench.scale.largePiece)
    compareStreams(bench, large, atLeast = 0.95, ::writeBareStream, ::readBareStream)
    val small = Payload.of(bench.scale.streamBytes, bench.scale.smallPiece)
    compareStreams(bench, small, atLeast = 0.9, ::writeGatheredStream, ::readAheadStream)
}

private fun compareStreams(
    bench: Bench,
    payload: Payload,
    atLeast: Double,
    writeBare: (Path, Payload) -> Unit,
    readBare: (Path, Payload, Long) -> Unit,
) {
    val multifile = bench.directory.resolve("stream.sion")
    val bare = bench.directory.resolve("stream.bare")
    val start = firstChunk(taskCount = 1)
    val stride = payload.pieceSize.toLong()
    bench.compare(
        "write a stream by ${payload.pieceSize} bytes",
        atLeast,
        ours = Side({ writeTaskStream(multifile, payload) }) { payload.checkAndDelete(multifile, start, stride) },
        baseline = Side({ writeBare(bare, payload) }) { payload.checkAndDelete(bare, 0, stride) },
    )
    writeTaskStream(multifile, payload)
    bench.compare(
        "read a stream by ${payload.pieceSize} bytes",
        atLeast,
        ours = Side({ readTaskStream(multifile, payload) }),
        baseline = Side({ readBare(multifile, payload, start) }),
    )
    multifile.deleteExisting()
}
