package dev.cairn.store

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
internal class OwnerRequest(val owner: String, val change: SaveChange, val number: Int)

/**
 * The directory `requests` in a store, with requests of other programs to its owner:
 *
 * ```
 * requests/ID.json          a request, renamed into place, so it is whole
 * requests/ID.answer.json its answer, renamed into place, too
 * ```
 *
 * Deleting a request takes it: the owner takes it to carry it out, the requester to withdraw it. Hence it is carried
 * out at most once, and not at all if it was withdrawn. These files are not forced to the disk: a crash of the machine
 * ends both sides.
 */
internal class OwnerRequests(private val files: BlockStore, store: Path) {
    private val directory = store.resolve(SaveNames.REQUESTS)

    /** Writes a request, and returns its id. */
    fun ask(request: OwnerRequest): String {
        try {
            files.makeDirectory(directory)
        } catch (_: FileAlreadyExistsException) {
            // The same request exists already.
        }
        val id = "${UUID.randomUUID()}"
        put(id + REQUEST, Json.encodeToString(OwnerRequest.serializer(), request))
        return id
    }

    /** Withdraws the request; false if the owner has taken it already. */
    fun withdraw(id: String): Boolean = files.deleteIfThere(directory.resolve(id + REQUEST))

    /** The answer, which is removed; null if there is none yet. */
    fun answer(id: String): ChangeOutcome? {
        val file = directory.resolve(id + ANSWER)
        if (!files.exists(file)) return null
        val outcome = Json.decodeFromString(ChangeOutcome.serializer(), read(file))
        files.deleteIfThere(file)
        return outcome
    }

    /** Whether there are requests to take. */
    val areThere: Boolean get() = files.exists(directory) && files.list(directory).any { ID.matches(it.name) }

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

    private fun outcomeOf(text: String, carryOut: (OwnerRequest) -> ChangeOutcome): ChangeOutcome =
        try {
            carryOut(Json.decodeFromString(OwnerRequest.serializer(), text))
        } catch (unfit: SerializationException) {
            ChangeOutcome(false, "the request cannot be read: ${unfit.firstLine()}")
        }

    private fun read(file: Path): String = files.readWhole(file, MOST_BYTES)?.decodeToString() ?: "too long"

    private fun put(name: String, text: String) {
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
