package dev.cairn.proof.memory

import dev.cairn.house.Campaign
import dev.cairn.house.OUTSIDE
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.exists

private const val MEBIBYTE = 1L shl 20
private val STATE = Campaign.STATE_MEBIBYTES.count * MEBIBYTE

/** What is promised beside the state, for the heap and for direct memory: together 64 MiB and 8 MiB for each writing rank. */
private const val HEAP_BESIDE = 64 * MEBIBYTE
private const val DIRECT = LargeState.RANK_COUNT * 8 * MEBIBYTE

/** Most of the heap is for what lives long. */
private const val YOUNG = 24 * MEBIBYTE

/** Each test is a JVM that ends in an OutOfMemoryError if the bound does not hold. */
@Tags(OUTSIDE)
class MemoryBoundSpec :
    FunSpec({
        val directory = tempdir().toPath()

        val kinds = listOf("field", "table")
        for (kind in Campaign.STARTED_PROGRAMS.someOf(kinds)) {
            test("a large $kind is saved and restored on 4 and on 3 ranks with 96 MiB beside the state") {
                val (exit, output) = run(kind, directory.resolve(kind), heap = STATE + HEAP_BESIDE)

                withClue(output) { exit shouldBe 0 }
                output shouldContain "survived"
            }
        }

        val rooms = kinds.flatMap { kind -> listOf(STATE, STATE / 2).map { kind to it } }
        for ((kind, room) in Campaign.STARTED_PROGRAMS.someOf(rooms)) {
            test(
                "a large $kind is written from copies in ${room / MEBIBYTE} MiB, with 96 MiB beside these and the state",
            ) {
                val place = directory.resolve("copied-$kind-$room")
                val (exit, output) = run(kind, place, STATE + HEAP_BESIDE, room + DIRECT, snapshotMemory = room)

                withClue(output) { exit shouldBe 0 }
                output shouldContain "survived"
                if (room == STATE) output shouldNotContain NOT_COPIED else output shouldContain NOT_COPIED
            }
        }

        test("a setting that allows more copies than direct memory has leaves room to write them") {
            val (exit, output) =
                run(
                    "field",
                    directory.resolve("too-much"),
                    STATE + HEAP_BESIDE,
                    STATE / 2 + DIRECT,
                    snapshotMemory = 2 * STATE,
                )

            withClue(output) { exit shouldBe 0 }
            output shouldContain NOT_COPIED
        }

        test("a second copy of one column would be too much") {
            val tooSmall = STATE + HEAP_BESIDE - LargeState.COLUMN_BYTES
            val (exit, output) = run("table", directory.resolve("small"), heap = tooSmall)

            exit shouldNotBe 0
            output shouldContain "OutOfMemoryError"
        }

        test("more frames than a pool should have would be too much") {
            val (exit, output) = run("hoard", directory, heap = STATE + HEAP_BESIDE)

            exit shouldNotBe 0
            output shouldContain "OutOfMemoryError"
        }

        test("a machine without memory for one frame of each rank is refused before anything is written") {
            val refused = directory.resolve("refused")
            for (direct in Campaign.STARTED_PROGRAMS.someOf(listOf(MEBIBYTE, 4 * MEBIBYTE))) {
                val (exit, output) = run("field", refused, heap = STATE + HEAP_BESIDE, direct = direct)

                exit shouldNotBe 0
                output shouldContain "may need up to 20.0 MiB more outside of the Java heap for its buffers, but the " +
                    "virtual machine allows ${direct / MEBIBYTE}.0 MiB"
                refused.exists() shouldBe false
            }
        }
    })

/** The log's sentence about what had no room in the memory for copies. */
private const val NOT_COPIED = "were written before the program went on"

private fun run(
    job: String,
    directory: Path,
    heap: Long,
    direct: Long = DIRECT,
    snapshotMemory: Long? = null,
): Pair<Int, String> {
    val java =
        ProcessHandle
            .current()
            .info()
            .command()
            .get()
    val machine = listOf(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    val limits = listOf("-Xmx$heap", "-Xmn$YOUNG", "-XX:MaxDirectMemorySize=$direct")
    val program =
        listOf("-cp", System.getProperty("java.class.path"), LargeState::class.java.name, job, "$directory", "$STATE") +
            listOfNotNull(snapshotMemory?.toString())
    val process = ProcessBuilder(machine + limits + program).redirectErrorStream(true).start()
    val output = process.inputStream.bufferedReader().readText()
    return process.waitFor() to output
}
