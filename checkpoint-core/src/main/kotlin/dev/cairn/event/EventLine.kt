package dev.cairn.event

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.time.Instant
import java.time.format.DateTimeParseException

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
internal class EventLine(
    val time: Instant,
    val program: String,
    val event: CheckpointEvent,
) {
    fun encode(): String {
        val fields = FORMAT.encodeToJsonElement(CheckpointEvent.serializer(), event).jsonObject
        return JsonObject(mapOf(TIME to JsonPrimitive("$time"), PROGRAM to JsonPrimitive(program)) + fields).toString()
    }

    companion object {
        private const val TIME = "time"
        private const val PROGRAM = "program"

        /** Times in which a program can have run; others come from a damaged line. */
        private val POSSIBLE = Instant.EPOCH..Instant.parse("9999-12-31T23:59:59Z")

        private val FORMAT =
            Json {
                classDiscriminator = "event"
                encodeDefaults = true
                ignoreUnknownKeys = true
            }

        /** Null if it is cut short, damaged, of an impossible time, or an event that only a newer version knows. */
        fun decode(line: String): EventLine? =
            try {
                val fields = FORMAT.parseToJsonElement(line).jsonObject
                val time = Instant.parse(fields[TIME]?.jsonPrimitive?.content.orEmpty())
                val program = fields[PROGRAM]?.jsonPrimitive?.content.orEmpty()
                val event = JsonObject(fields - TIME - PROGRAM)
                if (time !in POSSIBLE) return null
                EventLine(time, program, FORMAT.decodeFromJsonElement(CheckpointEvent.serializer(), event))
            } catch (_: IllegalArgumentException) {
                null
            } catch (_: DateTimeParseException) {
                null
            }
    }
}
