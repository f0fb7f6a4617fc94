package dev.cairn.sion.log

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe

/** One byte of a log of several segments that was changed. */
internal class DamagedByte(private val model: LogModel, private val segment: Int, private val offset: Int) {
    private val record = model.records.find { it.segment == segment && offset in it.offset until it.end }
    private val headSize = record?.let { LogModel.little(model.segments[segment]).getInt(it.offset) } ?: 64
    private val payloadSize =
        record?.let { LogModel.little(model.segments[segment]).getLong(it.offset + 24).toInt() } ?: 0
    private val inRecord = offset - (record?.offset ?: 0)

    fun check(log: SeenLog) =
        when {
            inRecord >= headSize + payloadSize -> {
                log.name shouldBe "open"
                log.records shouldContainExactly model.records.map { it.text }
            }

            inRecord >= headSize -> {
                log.name shouldBe "open"
                log.records shouldContainExactly model.records.map { if (it === record) it.damaged() else it.text }
            }

            else -> {
                checkBroken(log)
            }
        }

    private fun checkBroken(log: SeenLog) {
        val start = record?.offset ?: 0
        log.records shouldContainExactly model.records.filter { isBefore(it, start) }.map { it.text }
        log.name shouldBe "damaged"
        log.place shouldBe ("s%06d.log".format(segment) to start.toLong())
    }

    private fun isBefore(other: LogModel.Record, start: Int) =
        other.segment < segment || (other.segment == segment && other.offset < start)

    private fun LogModel.Record.damaged() = text.substringBeforeLast(' ') + " damaged"
}

internal infix fun SeenLog.shouldBeSound(damage: DamagedByte) = damage.check(this)
