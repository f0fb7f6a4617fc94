package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import java.nio.file.Path
import kotlin.io.path.deleteExisting

private const val MOST_SECONDS_TO_START = 0.25
private const val SPLIT_DIGITS = 5

/** The start times of the commands, and the rates of copies by `sion`, against the C library's tools if they are on the `PATH`. */
internal fun benchCommands(bench: Bench) {
    Commands.entries.forEach { measureStart(bench, it) }
    val payload = Payload.of(bench.scale.streamBytes, bench.scale.largePiece)
    val fewBytes = Payload(Scale.BLOCK_SIZE, TURN_TASKS)
    val source = bench.directory.resolve("source.sion")
    val small = bench.directory.resolve("small.sion")
    writeByTurns(source, payload)
    writeByTurns(small, fewBytes)
    for (verb in CopyVerb.entries) {
        when (val tool = toolOnPath("sion$verb")) {
            null -> println("There is no sion$verb on the PATH to compare with.")
            else -> compare(bench, CopyJob(verb, source, payload), CopyJob(verb, small, fewBytes), tool)
        }
    }
    listOf(source, small).forEach(Path::deleteExisting)
}

private fun measureStart(bench: Bench, command: Commands) {
    val start = command.with(listOf("--version"))
    runQuietly(start) // The first start makes an archive of classes.
    val times = Quartiles.of(List(bench.pairCount) { secondsOf(start) })
    bench.report(Figure("$command --version", times, "s", AtMost(MOST_SECONDS_TO_START)))
}

/** The time of the same verb for a few bytes is that of starting a JVM, and is subtracted. */
private fun compare(bench: Bench, job: CopyJob, smallJob: CopyJob, tool: Path) {
    val ours = Commands.SION.with(listOf("${job.verb}"))
    val start = Quartiles.of(List(bench.pairCount) { smallJob.side(ours).seconds() }).median
    val bytes = "${job.payload.byteCount} bytes, without a start of %.2f s".format(start)
    bench.compare(
        "sion ${job.verb} of $bytes, against sion${job.verb}",
        atLeast = 1.0,
        ours = job.side(ours).leavingOut(start),
        baseline = job.side(listOf("$tool")),
    )
}

private enum class CopyVerb {
    CAT,
    SPLIT,
    DEFRAG,
    ;

    override fun toString(): String = name.lowercase()
}

/** A copy of one multifile by one verb. The C library's tools and ours take the same arguments, and write the same files. */
private class CopyJob(val verb: CopyVerb, private val source: Path, val payload: Payload) {
    private val copy = source.resolveSibling("copy")

    fun side(command: List<String>) = Side({ runQuietly(command + arguments()) }) { checkAndDelete() }

    private fun arguments() = if (verb == CopyVerb.CAT) listOf("-o", "$copy", "$source") else listOf("$source", "$copy")

    private fun checkAndDelete() =
        when (verb) {
            CopyVerb.CAT -> payload.checkAndDelete(copy, 0, payload.pieceSize.toLong())
            CopyVerb.SPLIT -> checkAndDeleteParts()
            CopyVerb.DEFRAG -> payload.checkAndDelete(copy, firstChunk(TURN_TASKS), payload.pieceSize.toLong())
        }

    private fun checkAndDeleteParts() {
        val turns = payload.pieceCount / TURN_TASKS
        for (task in 0 until TURN_TASKS) {
            val part = copy.resolveSibling("copy" + task.toString().padStart(SPLIT_DIGITS, '0'))
            payload.checkAndDelete(part, 0, payload.pieceSize.toLong(), task * turns until (task + 1) * turns)
        }
    }
}
