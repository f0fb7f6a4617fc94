package dev.cairn.sion.fuzz

import dev.cairn.sion.pnetcdf.BurstLog
import dev.cairn.sion.pnetcdf.BurstLogException
import dev.cairn.sion.pnetcdf.BurstLogName
import dev.cairn.sion.pnetcdf.BurstLogSet
import dev.cairn.sion.pnetcdf.StagedPut
import dev.cairn.sion.pnetcdf.VariableOverlay
import java.nio.ByteBuffer

/**
 * Reads all that a log of PnetCDF holds. What is no verdict with a sentence, costs more than the log's size explains, or
 * contradicts itself, is thrown.
 */
class BurstLogReadThrough(private val log: HostileBurstLog) {
    private val bounds = Bounds.ofReading(log.size)
    private val store = HostileStore(log.byPath, bounds)

    /** Whether the log is whole, lacks others of its program, or is damaged. */
    fun run(): String {
        val names = BurstLogName.listIn(store, HostileFiles.DIRECTORY)
        if (names.isEmpty()) return "None"
        val outcome =
            bounds.allocating(BYTES_PER_LOG_BYTE) { BurstLogSet.open(store, names) }.use { set ->
                set.logs().forEach(::check)
                (set.losses() + set.conflicts()).forEach(::requireSentence)
                set
                    .logs()
                    .flatMap { each ->
                        each.puts().map { it.variable() }
                    }.distinct()
                    .take(2)
                    .forEach { lay(set, it) }
                outcomeOf(set)
            }
        if (store.openCount != 0) throw AssertionError("${store.openCount} files were left open")
        return outcome
    }

    private fun outcomeOf(set: BurstLogSet): String =
        when {
            set.logs().any { it.damage().isPresent } -> if (set.logs().any { it.putCount() > 0 }) "Damaged" else "Lost"
            set.isWhole -> "Whole"
            else -> "Alone"
        }

    private fun check(each: BurstLog) {
        each.damage().ifPresent { at ->
            if (at.offset() !in 0..(log.byPath[at.file()]?.size ?: 0)) throw AssertionError("no such byte: $at")
            requireSentence("$at")
        }
        var next = 8L
        for (put in each.puts()) {
            same("where values begin", next, put.dataOffset())
            next += put.dataSize()
            if (next > log.size) throw AssertionError("$put has more values than the log")
            if (put.dataSize() > 0) each.read(put, put.dataSize() - 1, ByteBuffer.allocate(1))
        }
        same("the bytes of all values", next - 8, if (each.header().isPresent) each.dataSize() else next - 8)
        if (each.metaTail() < 0 || each.dataTail() < 0) throw AssertionError("a tail of less than nothing")
    }

    private fun BurstLog.puts(): List<StagedPut> = List(putCount(), ::put)

    /** The puts of a variable in one box, or the sentence why they are in none. */
    private fun lay(set: BurstLogSet, variable: Int) {
        try {
            val overlay = VariableOverlay.of(set, variable)
            if (overlay.coveredCells() > overlay.cellCount()) throw AssertionError("more cells than there are")
        } catch (refusal: BurstLogException) {
            requireSentence(refusal.message.orEmpty())
        }
    }

    private fun requireSentence(text: String) {
        if (text.length < SHORTEST || "null" in text) throw AssertionError("no sentence: $text")
    }

    private companion object {
        const val SHORTEST = 30

        /** An entry of 40 bytes takes some 300 in objects, and is read for each layout that fits. */
        const val BYTES_PER_LOG_BYTE = 40
    }
}
