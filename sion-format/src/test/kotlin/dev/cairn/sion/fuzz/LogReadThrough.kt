package dev.cairn.sion.fuzz

import dev.cairn.sion.failure.LogBreak
import dev.cairn.sion.log.LogException
import dev.cairn.sion.log.LogReader
import dev.cairn.sion.log.LogRecord
import java.nio.ByteBuffer

/**
 * Reads all that a log holds, in every way that there is. What is no verdict with a sentence, costs more than the log's
 * size explains, or differs between two ways, is thrown.
 */
class LogReadThrough(private val log: HostileLog) {
    private val bounds = Bounds.ofReading(log.size)
    private val store = HostileStore(log.byPath, bounds)

    /** The state of the log, or how it was refused. */
    fun run(): String {
        val outcome =
            try {
                readWhole()
            } catch (refusal: LogException.UnsupportedVersion) {
                requireSentence(refusal.message.orEmpty())
                "UnsupportedVersion"
            }
        if (store.openCount != 0) throw AssertionError("${store.openCount} files were left open")
        return outcome
    }

    private fun readWhole(): String {
        val open = { LogReader.open(store, HostileFiles.DIRECTORY) }
        return bounds.allocating(BYTES_PER_LOG_BYTE, open).use { reader ->
            val records = recordsOf(reader)
            same("the number of records", reader.recordCount(), records.size.toLong())
            same("the bytes of payloads", reader.payloadBytes(), records.sumOf { it.payloadSize() })
            same("the numbers of records", (1L..records.size).toList(), records.map { it.sequence() })
            val damaged = records.filterNot { isReadable(reader, it) }.map { it.sequence() }
            same("the damaged records", damaged, verified(reader))
            reader.rest()
            if (reader.identity().isEmpty) same("records without a log", 0, records.size)
            same("the segments", LogReader.segments(store, HostileFiles.DIRECTORY), log.byPath.keys.sorted())
            same("a log", LogReader.isLog(store, HostileFiles.DIRECTORY), log.byPath.isNotEmpty())
            check(reader, records)
        }
    }

    private fun check(reader: LogReader, records: List<LogRecord>): String {
        same("the last record", records.lastOrNull()?.sequence() ?: 0, reader.recordCount())
        when (val state = reader.state()) {
            is LogReader.State.Open -> Unit
            is LogReader.State.Torn -> check(state.at())
            is LogReader.State.Damaged -> check(state.at())
        }
        return reader.state().javaClass.simpleName
    }

    private fun check(at: LogBreak) {
        val size = log.byPath[at.file()]?.size ?: 0
        if (at.offset() !in 0..size) throw AssertionError("no such byte: $at")
        requireSentence("$at")
    }

    private fun recordsOf(reader: LogReader): List<LogRecord> {
        val cursor = reader.cursor()
        return generateSequence { if (cursor.advance()) cursor.record() else null }.toList()
    }

    /** The payload in parts of no round size, and its text if it is a note. */
    private fun isReadable(reader: LogReader, record: LogRecord): Boolean {
        if (record.payloadSize() > log.size) throw AssertionError("$record has more bytes than the log")
        return try {
            for (position in 0 until record.payloadSize() step PIECE) {
                val rest = record.payloadSize() - position
                reader.read(record, position, ByteBuffer.allocate(minOf(PIECE, rest).toInt()))
            }
            if (record.region().isEmpty) reader.text(record) else requireNoText(reader, record)
            true
        } catch (damage: LogException.DamagedPayload) {
            requireSentence(damage.message.orEmpty())
            false
        }
    }

    private fun requireNoText(reader: LogReader, put: LogRecord) =
        try {
            throw AssertionError("a put has the text ${reader.text(put)}")
        } catch (refusal: IllegalArgumentException) {
            requireSentence(refusal.message.orEmpty())
        }

    private fun verified(reader: LogReader): List<Long> {
        val damaged = mutableListOf<Long>()
        reader.verify { damaged += it.sequence() }
        return damaged
    }

    private fun requireSentence(text: String) {
        if (text.length < SHORTEST || "null" in text) throw AssertionError("no sentence: $text")
    }

    private companion object {
        const val PIECE = 1_000L
        const val SHORTEST = 30

        /** A box of 24 bytes takes some 200 in objects, half of them for a moment. */
        const val BYTES_PER_LOG_BYTE = 20
    }
}
