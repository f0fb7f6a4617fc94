package dev.cairn.benchmarks.sections

import dev.cairn.Output
import dev.cairn.SoloCheckpoints
import dev.cairn.benchmarks.baseline.deleteForcedSave
import dev.cairn.benchmarks.baseline.forceDirectory
import dev.cairn.benchmarks.baseline.writeForcedSave
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.Quotient
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.WRITE
import kotlin.io.path.appendText
import kotlin.io.path.createDirectory
import kotlin.io.path.createFile
import kotlin.io.path.fileSize
import kotlin.io.path.listDirectoryEntries
import kotlin.random.Random
import kotlin.system.measureNanoTime

private const val MOST_MILLIS = 3.0
private const val MOST_KIBIBYTES = 64.0
private const val MOST_OF_BARE = 1.5
private const val WARM_UP_SAVES = 100
private const val SAVES_IN_A_ROW = 10
private const val STATE_BYTES = 4096
private const val JOB = "one process saves 4 KiB, a stream and an output"

/**
 * One process saves a small state again and again: in memory, the time; on a disk, against a bare program with the same writes,
 * forces and deletions. Cairn deletes expired saves while the program goes on, which here saves again at once.
 */
internal fun benchOneProcess(bench: Bench) =
    runBlocking {
        val program = SmallProgram(bench.directory.resolve("small").createDirectory())
        if (bench.isOnDisk) compareWithBare(bench, program) else timeSaves(bench, program)
        bench.report(Figure("$JOB: its files", program.kibibytes(), "KiB", AtMost(MOST_KIBIBYTES)))
        program.check()
        bench.directory.clear()
    }

private suspend fun timeSaves(bench: Bench, program: SmallProgram) {
    val times = program.open().use { rounds(WARM_UP_SAVES, bench.scale.smallSaves) { _ -> program.millisOfSave(it) } }
    bench.report(Figure(JOB, Quartiles.of(times), "ms", AtMost(MOST_MILLIS)))
}

private suspend fun compareWithBare(bench: Bench, program: SmallProgram) {
    val bare = BareSaves(bench.directory.resolve("bare").createDirectory())
    val count = (bench.scale.smallSaves / SAVES_IN_A_ROW).coerceAtLeast(1)
    val pairs =
        program.open().use { checkpoints ->
            rounds(WARM_UP_SAVES / SAVES_IN_A_ROW, count) { round ->
                inTurn(
                    round,
                    { secondsOf { program.millisOfSave(checkpoints) } },
                    { secondsOf { bare.millisOfSave() } },
                )
            }
        }
    val goal = AtMost(MOST_OF_BARE)
    val name = "$JOB, against the same writes, forces and deletions"
    bench.report(Comparison.of(name, Quotient.OF_TIMES, pairs, goal, { it[0] }, { it[1] }))
}

/** Of several saves in a row, so that what a save deletes while the program goes on falls into the time of the same program. */
private inline fun secondsOf(millisOfSave: () -> Double): Double = List(SAVES_IN_A_ROW) { millisOfSave() }.sum() / 1e3

private class SmallProgram(private val directory: Path) {
    private val store = directory.resolve("small.cairn")
    private val log = directory.resolve("log.txt")
    private var lines: Output? = null
    private var state = ByteArray(STATE_BYTES)
    private var step = 0L

    suspend fun open(): SoloCheckpoints =
        SoloCheckpoints.open(store) {
            value("state", { state }, { state = it })
            stream("extra", { it.write(ByteArray(100)) }, { it.readAllBytes() })
            lines = output("log", log)
        }

    suspend fun millisOfSave(checkpoints: SoloCheckpoints): Double {
        step++
        state = Random(step).nextBytes(STATE_BYTES)
        lines?.line("step $step")
        val begin = System.nanoTime()
        checkpoints.save(step)
        return (System.nanoTime() - begin) / 1e6
    }

    /** Of all files of each save that is there. */
    fun kibibytes(): Quartiles {
        val saves = store.listDirectoryEntries("0*").map { it.listDirectoryEntries() }
        return Quartiles.of(saves.map { files -> files.sumOf { it.fileSize() } / 1024.0 })
    }

    suspend fun check() {
        state = byteArrayOf()
        val restored = open().use { it.restore() }
        check(
            restored == step && state.contentEquals(Random(step).nextBytes(STATE_BYTES)),
        ) { "another state came back" }
    }
}

/** Saves of as many bytes in as many writes, beside an output that is forced. Two are kept: each save then deletes the third. */
private class BareSaves(private val directory: Path) {
    private val log = directory.resolve("log.txt").createFile()
    private val head = List(2) { bytes(1100) }
    private val state = List(4) { listOf(bytes(16), bytes(STATE_BYTES / 4)) }.flatten()
    private val end = List(5) { bytes(1000) }
    private val manifest = bytes(2900)
    private var count = 0

    fun millisOfSave(): Double {
        val number = ++count
        val groups = listOf(head.take(1) + state, end, head.takeLast(1))
        log.appendText("one more step\n")
        val nanos =
            measureNanoTime {
                FileChannel.open(log, WRITE).use { it.force(false) }
                forceDirectory(directory)
                writeForcedSave(save(number), groups, manifest)
                if (number > 2) deleteForcedSave(save(number - 2))
            }
        return nanos / 1e6
    }

    private fun save(number: Int) = directory.resolve("$number")

    private fun bytes(size: Int) = ByteBuffer.allocateDirect(size)
}
