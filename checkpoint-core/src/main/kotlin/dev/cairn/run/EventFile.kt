package dev.cairn.run

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointListener
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Clock

/**
 * Appends each event as one line of JSON in UTF-8:
 *
 * ```
 * {"time":"2025-01-31T12:00:00Z","event":"committed","number":7,"step":700, …}
 * ```
 *
 * [CheckpointEvent] says which fields follow. The file is opened for each event, so it may be moved away at any time. It
 * is not forced; a line that was cut short by a full disk or a crash stays alone on its line.
 */
internal class EventFile(
    private val files: BlockStore,
    private val path: Path,
    private val clock: Clock = Clock.systemUTC(),
) : CheckpointListener {
    override fun onEvent(event: CheckpointEvent) =
        open().use { file ->
            val end = file.size()
            val separator = if (end == 0L || file.lastByte(end) == NEW_LINE) "" else "\n"
            file.write(end, ByteBuffer.wrap("$separator${lineOf(event)}\n".encodeToByteArray()))
        }

    private fun open(): BlockFile = if (files.exists(path)) files.open(path, Access.READ_WRITE) else files.create(path)

    private fun lineOf(event: CheckpointEvent): String {
        val fields = FORMAT.encodeToJsonElement(CheckpointEvent.serializer(), event).jsonObject
        return JsonObject(mapOf("time" to JsonPrimitive("${clock.instant()}")) + fields).toString()
    }

    override fun toString() = "the file of events $path"

    private companion object {
        const val NEW_LINE = '\n'.code.toByte()

        val FORMAT =
            Json {
                classDiscriminator = "event"
                encodeDefaults = true
            }

        fun BlockFile.lastByte(end: Long): Byte = ByteBuffer.allocate(1).also { readFully(end - 1, it) }.get(0)
    }
}
