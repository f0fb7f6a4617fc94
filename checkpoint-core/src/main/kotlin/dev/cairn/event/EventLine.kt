package dev.cairn.event

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome.Saved
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.time.Instant
import java.time.format.DateTimeParseException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days

/**
 * An event with its [time] and a name of the [program] that wrote it, as a line of a file in UTF-8:
 *
 * ```
 * {"time":"2025-01-31T12:00:00Z","program":"5d1c0a52","event":"committed","number":7,"step":700, …}
 * ```
 *
 * [CheckpointEvent] says which fields follow. A program that is stopped while another one takes its store over may write between
 * the lines of that one: so each line has the name.
 */
internal class EventLine(val time: Instant, val program: String, val event: CheckpointEvent) {
    fun encode(): String {
        val fields = FORMAT.encodeToJsonElement(CheckpointEvent.serializer(), event).jsonObject
        return JsonObject(mapOf(TIME to JsonPrimitive("$time"), PROGRAM to JsonPrimitive(program)) + fields).toString()
    }

    companion object {
        private const val TIME = "time"
        private const val PROGRAM = "program"
        private const val MOST_LEVELS = 20

        /** Times in which a program can have run; others come from a damaged line. */
        private val POSSIBLE = Instant.EPOCH..Instant.parse("9999-12-31T23:59:59Z")

        private val FORMAT =
            Json {
                classDiscriminator = "event"
                encodeDefaults = true
                ignoreUnknownKeys = true
            }

        /** Whether its numbers can have been measured; others come from a damaged line, and no picture has a place for them. */
        private val CheckpointEvent.isPossible: Boolean
            get() =
                when (this) {
                    is Saved -> byteCount >= 0 && listOf(time, slowestTime, waited).all { it in Duration.ZERO..LONGEST }
                    is CheckpointEvent.Started -> rankCount > 0 && hostCount > 0
                    is Restored -> rankCount > 0
                    else -> true
                }

        private val LONGEST = 100_000.days

        /** Null for a line that is cut short, damaged, of an impossible time, or an event of a newer version. */
        fun decode(line: String): EventLine? = if (isDeep(line)) null else parse(line)

        private fun parse(line: String): EventLine? =
            try {
                val fields = FORMAT.parseToJsonElement(line).jsonObject
                val time = Instant.parse(fields[TIME]?.jsonPrimitive?.content.orEmpty())
                val program = fields[PROGRAM]?.jsonPrimitive?.content.orEmpty()
                val event = JsonObject(fields - TIME - PROGRAM)
                if (time !in POSSIBLE) return null
                EventLine(time, program, FORMAT.decodeFromJsonElement(CheckpointEvent.serializer(), event))
                    .takeIf { it.event.isPossible }
            } catch (_: IllegalArgumentException) {
                null
            } catch (_: DateTimeParseException) {
                null
            }

        /** Whether it has more levels than any event: the parser recurses at each level, and might overflow its stack. */
        private fun isDeep(line: String): Boolean {
            var depth = 0
            var isText = false
            var isEscaped = false
            for (letter in line) {
                when {
                    isEscaped -> isEscaped = false
                    isText && letter == '\\' -> isEscaped = true
                    letter == '"' -> isText = !isText
                    !isText && letter in "[{" -> if (++depth > MOST_LEVELS) return true
                    !isText && letter in "]}" -> depth--
                }
            }
            return false
        }
    }
}
