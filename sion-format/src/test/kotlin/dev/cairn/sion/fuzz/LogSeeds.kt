package dev.cairn.sion.fuzz

import dev.cairn.sion.log.EVERY_KIND
import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogModel
import dev.cairn.sion.log.randomSteps
import java.nio.file.Path
import kotlin.io.path.writeBytes
import kotlin.random.Random

/** What the fuzzer starts from: small logs of every kind, in one segment and in several. */
object LogSeeds {
    private val ALONE = LogIdentity(7, 1, 0, 1)

    fun unpack(directory: Path) =
        all().forEachIndexed { number, bytes -> directory.resolve("seed-$number").writeBytes(bytes) }

    /** A log of one rank with a record of each kind; its checksums are made right after each mutation. */
    fun everyKind(): ByteArray = HostileLog.encoded(MENDED, LogModel(EVERY_KIND, ALONE).segments)

    private fun all(): List<ByteArray> {
        val programs = List(10) { randomSteps(Random(it), 10) } + listOf(EVERY_KIND)
        return programs.flatMap { steps ->
            listOf(300L, 1L shl 20).flatMap { limit ->
                val segments = LogModel(steps, ALONE, limit = limit).segments
                listOf(0, MENDED).map { HostileLog.encoded(it, segments) }
            }
        }
    }

    private const val MENDED = 1
}
