package dev.cairn.sion.log

import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import java.util.HexFormat
import java.util.zip.CRC32C

/** The bytes of a log as docs/reference/log.md says, made by other code than the writer's. */
internal class LogModel(val identity: LogIdentity = IDENTITY, private val limit: Long = Long.MAX_VALUE) {
    /** A record as it should be read. */
    class Record(val segment: Int, val offset: Int, val end: Int, val text: String)

    val segments = mutableListOf(segmentHead(0, 1))
    val records = mutableListOf<Record>()

    constructor(
        steps: List<LogStep>,
        identity: LogIdentity = IDENTITY,
        limit: Long = Long.MAX_VALUE,
    ) : this(identity, limit) {
        steps.forEach(::add)
    }

    fun add(step: LogStep) {
        val sequence = records.size + 1L
        when (step) {
            is LogStep.Put -> {
                val bytes = record(1, sequence, step.payload) { putFields(step.region) }
                add("$sequence put ${step.region}", bytes, step.payload)
            }

            is LogStep.Note -> {
                val text = step.text.toByteArray()
                add("$sequence note", record(2, sequence, text) { }, text)
            }
        }
    }

    private fun add(text: String, bytes: ByteArray, payload: ByteArray) {
        if (segments.last().size > 64 && segments.last().size + bytes.size > limit) {
            segments += segmentHead(segments.size, records.size + 1L)
        }
        val offset = segments.last().size
        segments[segments.size - 1] = segments.last() + bytes
        records += Record(segments.size - 1, offset, offset + bytes.size, text + textOf(payload))
    }

    fun segmentHead(segment: Int, firstSequence: Long, version: Int = 2): ByteArray {
        val head = little(ByteArray(64)).put("CAIRNLOG".toByteArray()).putInt(version).putInt(segment)
        head.putLong(identity.id()).putLong(identity.generation())
        head.putInt(identity.rank()).putInt(identity.rankCount()).putLong(firstSequence)
        return head.putInt(60, crc(head.array().copyOf(60))).array()
    }

    /** A record with any fields of its kind. */
    fun record(
        kind: Int,
        sequence: Long,
        payload: ByteArray = ByteArray(0),
        fields: ByteBuffer.() -> Unit,
    ): ByteArray {
        val body = little(ByteArray(1 shl 20)).apply(fields)
        val frames = (payload.indices step FRAME).map { crc(payload.copyOfRange(it, minOf(it + FRAME, payload.size))) }
        val headSize = (36 + body.position() + 4 * frames.size + 4 + 7) / 8 * 8
        val head = little(ByteArray(headSize)).putInt(headSize).putInt(kind)
        head.putLong(identity.id()).putLong(sequence).putLong(payload.size.toLong())
        head.putInt(crc(head.array().copyOf(32)))
        head.put(body.flip())
        frames.forEach(head::putInt)
        head.putInt(headSize - 4, crc(head.array().copyOf(headSize - 4)))
        return head.array() + payload + ByteArray((8 - payload.size % 8) % 8)
    }

    private fun ByteBuffer.putFields(region: Region) {
        putInt(region.variable()).putInt(region.elementSize())
        putInt(region.boxes().first().dimensionCount()).putInt(region.boxes().size)
        for (box in region.boxes()) {
            val dimensions = 0 until box.dimensionCount()
            dimensions.forEach { putLong(box.start(it)) }
            dimensions.forEach { putLong(box.count(it)) }
            dimensions.forEach { putLong(box.stride(it)) }
        }
    }

    companion object {
        val IDENTITY = LogIdentity(0x0123456789abcdefL, 42, 1, 3)
        private const val FRAME = 1 shl 20

        fun little(bytes: ByteArray): ByteBuffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)

        fun crc(bytes: ByteArray): Int = CRC32C().apply { update(bytes) }.value.toInt()

        /** A payload in the text of a record; long ones by their checksum. */
        fun textOf(payload: ByteArray): String =
            if (payload.size <= 1000) " " + HexFormat.of().formatHex(payload) else " %08x".format(crc(payload))
    }
}

/** What a reader sees of a log, in the words of [LogModel]. */
internal class SeenLog(val state: LogReader.State, val records: List<String>) {
    val name: String =
        when (state) {
            is LogReader.State.Open -> "open"
            is LogReader.State.Torn -> "torn"
            is LogReader.State.Damaged -> "damaged"
        }

    /** The segment and the byte at which it breaks. */
    val place: Pair<String, Long>? =
        when (state) {
            is LogReader.State.Torn -> state.at()
            is LogReader.State.Damaged -> state.at()
            else -> null
        }?.let { "${it.file().fileName}" to it.offset() }

    override fun toString() = "$state: $records"
}

internal fun see(store: BlockStore, directory: Path): SeenLog =
    LogReader.open(store, directory).use { log ->
        val records = recordsOf(log).map { log.textOf(it) }
        check(records.size.toLong() == log.recordCount()) { "${records.size} of ${log.recordCount()} records" }
        SeenLog(log.state(), records)
    }

internal fun recordsOf(log: LogReader): List<LogRecord> {
    val cursor = log.cursor()
    return generateSequence { if (cursor.advance()) cursor.record() else null }.toList()
}

/** With the payload, or the word damaged in its place. */
internal fun LogReader.textOf(record: LogRecord): String {
    val words = record.region().map { "put $it" }.orElse("note")
    val payload =
        try {
            LogModel.textOf(payloadOf(record))
        } catch (damaged: LogException.DamagedPayload) {
            check(damaged.sequence() == record.sequence()) { "$damaged of $record" }
            " damaged"
        }
    return "${record.sequence()} $words$payload"
}

internal fun LogReader.payloadOf(record: LogRecord): ByteArray =
    ByteArray(record.payloadSize().toInt()).also { read(record, 0, ByteBuffer.wrap(it)) }
