package dev.cairn.store

import dev.cairn.disk.deleteIfThere
import dev.cairn.disk.firstLine
import dev.cairn.disk.readWhole
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import java.nio.ByteBuffer
import java.nio.file.FileAlreadyExistsException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.UUID

/** A request to the owner of a store, whose identity is [owner]: no later owner may carry it out. */
@Serializable
internal class OwnerRequest(
    val owner: String,
    val change: SaveChange,
    val number: Int,
)

/**
 * The directory `requests` in a store, by which other programs ask its owner to change something:
 *
 * ```
 * requests/ID.json          a request, renamed into place, so it is whole
 * requests/ID.answer.json   what became of it, renamed into place, too
 * ```
 *
 * Whoever deletes a request has it: the owner takes it so, and who asked withdraws it so. Hence it is carried out once, or not
 * at all if it was withdrawn. Nothing here is forced to the disk: a crash of the machine ends both sides.
 */
internal class OwnerRequests(
    private val files: BlockStore,
    store: Path,
) {
    private val directory = store.resolve(SaveNames.REQUESTS)

    /** Puts a request there, and returns its id. */
    fun ask(request: OwnerRequest): String {
        try {
            files.makeDirectory(directory)
        } catch (_: FileAlreadyExistsException) {
            // The same was asked before.
        }
        val id = "${UUID.randomUUID()}"
        put(id + REQUEST, Json.encodeToString(OwnerRequest.serializer(), request))
        return id
    }

    /** Takes the request back; false if the owner has it already. */
    fun withdraw(id: String): Boolean = files.deleteIfThere(directory.resolve(id + REQUEST))

    /** The answer, which is removed; null if there is none yet. */
    fun answer(id: String): ChangeOutcome? {
        val file = directory.resolve(id + ANSWER)
        if (!files.exists(file)) return null
        val outcome = Json.decodeFromString(ChangeOutcome.serializer(), read(file))
        files.deleteIfThere(file)
        return outcome
    }

    /** The owner takes all requests, one after another, and answers each as [carryOut] says. */
    fun answerAll(carryOut: (OwnerRequest) -> ChangeOutcome) {
        if (!files.exists(directory)) return
        for (file in files.list(directory)) {
            val id = ID.matchEntire(file.name)?.run { groupValues[1] } ?: continue
            val text = take(file) ?: continue
            put(id + ANSWER, Json.encodeToString(ChangeOutcome.serializer(), outcomeOf(text, carryOut)))
        }
    }

    /** The text of a request; null if it was withdrawn. */
    private fun take(file: Path): String? =
        try {
            read(file).also { files.delete(file) }
        } catch (_: NoSuchFileException) {
            null
        }

    private fun outcomeOf(
        text: String,
        carryOut: (OwnerRequest) -> ChangeOutcome,
    ): ChangeOutcome =
        try {
            carryOut(Json.decodeFromString(OwnerRequest.serializer(), text))
        } catch (unfit: SerializationException) {
            ChangeOutcome(false, "the request cannot be read: ${unfit.firstLine()}")
        }

    private fun read(file: Path): String = files.readWhole(file, MOST_BYTES)?.decodeToString() ?: "too long"

    private fun put(
        name: String,
        text: String,
    ) {
        val prepared = directory.resolve("$name.new")
        files.create(prepared).use { it.write(0, ByteBuffer.wrap(text.encodeToByteArray())) }
        files.rename(prepared, directory.resolve(name))
    }

    private companion object {
        const val REQUEST = ".json"
        const val ANSWER = ".answer.json"
        const val MOST_BYTES = 1 shl 16
        val ID = Regex("([0-9a-f-]{36})\\.json")
    }
}
