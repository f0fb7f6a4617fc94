package dev.cairn.examples.bench

import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.deleteExisting

private const val TASKS = 4

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
            ) { payload.checkAndDelete(copy, firstChunk(TASKS), payload.pieceSize.toLong()) },
        baseline = Side({ cp(source, copy) }) { checkSameAndDelete(source, copy) },
    )
    source.deleteExisting()
}

/** A piece for each task, and then the next one: numbered so that their order in the copy is that of the numbers. */
private fun writeByTurns(
    path: Path,
    payload: Payload,
) {
    val turns = payload.pieceCount / TASKS
    MultifileWriter.create(specOf(path), TaskRequest.equal(TASKS, payload.pieceSize.toLong())).use { writer ->
        for (turn in 0 until turns) {
            for (task in 0 until TASKS) writer.task(task).write(payload.piece(task * turns + turn))
        }
        writer.finish()
    }
}

private fun defrag(
    source: Path,
    copy: Path,
) = Multifile.open(source).use { Multifile.defragment(it, FileBlockStore(), specOf(copy)) {} }

private fun cp(
    source: Path,
    copy: Path,
) = check(ProcessBuilder("cp", "$source", "$copy").inheritIO().start().waitFor() == 0) { "cp has failed" }

private fun checkSameAndDelete(
    source: Path,
    copy: Path,
) {
    check(Files.mismatch(source, copy) == -1L) { "cp has made another file" }
    copy.deleteExisting()
}
