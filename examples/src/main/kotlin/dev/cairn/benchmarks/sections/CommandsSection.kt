package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.benchmarks.report.LimitResult
import dev.cairn.benchmarks.report.Quartiles
import java.nio.file.Path
import kotlin.io.path.deleteExisting

private const val START_AT_MOST_SECONDS = 0.25
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
    val start = command.with("--version")
    runQuietly(start) // The first start makes an archive of classes.
    bench.report(
        LimitResult(
            "$command --version",
            Quartiles.of(
                List(bench.pairCount) {
                    secondsOf(start)
                },
            ),
            "s",
            START_AT_MOST_SECONDS,
        ),
    )
}

/** The time of the same verb for a few bytes is that of starting a JVM, and is subtracted. */
private fun compare(bench: Bench, job: CopyJob, smallJob: CopyJob, tool: Path) {
    val ours = Commands.SION.with("${job.verb}")
    val start =
        Quartiles
            .of(
                List(bench.pairCount) {
                    Side({ smallJob.run(ours) }) { smallJob.checkAndDelete() }.seconds()
                },
            ).median
    bench.compare(
        "sion ${job.verb} of ${job.payload.byteCount} bytes, without a start of %.2f s, against sion${job.verb}".format(
            start,
        ),
        atLeast = 1.0,
        ours = Side({ job.run(ours) }) { job.checkAndDelete() }.leavingOut(start),
        baseline = Side({ job.run(listOf("$tool")) }) { job.checkAndDelete() },
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

    fun run(command: List<String>) =
        runQuietly(
            when (verb) {
                CopyVerb.CAT -> command + listOf("-o", "$copy", "$source")
                CopyVerb.SPLIT, CopyVerb.DEFRAG -> command + listOf("$source", "$copy")
            },
        )

    fun checkAndDelete() =
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
