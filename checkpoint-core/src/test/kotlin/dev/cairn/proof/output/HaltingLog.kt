package dev.cairn.proof.output

import dev.cairn.Output
import dev.cairn.SoloCheckpoints
import dev.cairn.options.CheckpointOptions
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** A program of one process that logs by all ways into one output, in text or compressed. */
internal class HaltingLog(private val directory: Path, private val isCompressed: Boolean) {
    val file: Path = directory.resolve(if (isCompressed) "log.gz" else "log.txt")

    /** Runs its 20 steps, saves after each third, and ends in the step [halting] as by `kill -9`. */
    suspend fun run(halting: Long, everySave: (Long) -> Unit = {}) {
        var sum = 0L
        lateinit var log: Output
        SoloCheckpoints
            .open(directory.resolve("store"), CheckpointOptions()) {
                value("sum", { sum }, { sum = it })
                log = output("log", file)
                if (isCompressed) log.gzip()
            }.use { checkpoints ->
                val (bytes, text, printed) = Triple(log.stream(), log.writer(), log.printStream())
                log.line("a heading")
                text.println("of two lines")
                for (step in checkpoints.restore() until 20) {
                    sum += step
                    bytes.write("step $step\n".encodeToByteArray())
                    text.printf("sum %d\n", sum)
                    printed.println("done ✓ \uD83D\uDE00")
                    if (step % 4 == 0L) log.line("a line at once")
                    if (step % 5 == 0L) text.flush()
                    if (step % 7 == 0L) log.append(ByteBuffer.wrap("bytes\n".encodeToByteArray()))
                    if (step == halting) Runtime.getRuntime().halt(HALTED)
                    if ((step + 1) % 3 == 0L) checkpoints.save(step + 1).also { everySave(step + 1) }
                }
            }
    }

    companion object {
        const val HALTED = 137
    }
}

/** What is in a compressed [file], as `zcat` says. */
internal fun zcat(file: Path): String {
    val process = ProcessBuilder("zcat", "$file").start()
    process.outputStream.close()
    val text = process.inputStream.readBytes().decodeToString()
    val complaint = process.errorStream.readBytes().decodeToString()
    if (process.waitFor() != 0) throw IOException("zcat: $complaint")
    return text
}

/** Starts [HaltingLog] as a process of its own, which halts in the step [halting]; returns its exit status. */
internal fun haltIn(halting: Long, directory: Path, isCompressed: Boolean): Int {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val program = listOf("-cp", System.getProperty("java.class.path"), "dev.cairn.proof.output.HaltingLogKt")
    return ProcessBuilder(
        listOf(java, "-XX:TieredStopAtLevel=1") + program + listOf("$halting", "$directory", "$isCompressed"),
    ).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor()
}

internal suspend fun main(args: Array<String>) = HaltingLog(Path.of(args[1]), args[2].toBoolean()).run(args[0].toLong())
