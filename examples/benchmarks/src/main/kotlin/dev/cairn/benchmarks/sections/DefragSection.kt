package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.sion.Multifile
import dev.cairn.sion.copy.Defragmentation
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.deleteExisting

/** A copy of a multifile in which every task has one chunk, against the command `cp` on the same file. */
internal fun benchDefrag(bench: Bench) {
    val payload = Payload.of(bench.scale.streamBytes, bench.scale.largePiece)
    val source = bench.directory.resolve("source.sion")
    val copy = bench.directory.resolve("copy.sion")
    writeByTurns(source, payload)
    bench.compare(
        "defrag ${payload.byteCount} bytes in chunks of ${payload.pieceSize}, against cp",
        atLeast = 0.8,
        ours =
            Side(
                { defrag(source, copy) },
            ) { payload.checkAndDelete(copy, firstChunk(TURN_TASKS), payload.pieceSize.toLong()) },
        baseline = Side({ cp(source, copy) }) { checkSameAndDelete(source, copy) },
    )
    source.deleteExisting()
}

private fun defrag(source: Path, copy: Path) =
    Multifile.open(source).use { Defragmentation.run(it, FileBlockStore(), specOf(copy)) {} }

private fun cp(source: Path, copy: Path) =
    check(ProcessBuilder("cp", "$source", "$copy").inheritIO().start().waitFor() == 0) { "cp has failed" }

private fun checkSameAndDelete(source: Path, copy: Path) {
    check(Files.mismatch(source, copy) == -1L) { "cp has made another file" }
    copy.deleteExisting()
}
