package dev.cairn.store

import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.utf8Of
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.int
import kotlinx.serialization.json.intOrNull
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.ByteBuffer
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat

/**
 * A manifest as bytes: JSON in UTF-8 whose last field is the SHA-256 of all bytes before that field's line.
 *
 * ```
 * {
 *     "run": …,
 *     …
 *     "format": "2.0",
 *     "digest": "64 lower-case hexadecimal digits"
 * }
 * ```
 *
 * The last two lines have a fixed length, so the digest is found from the end, and checked before anything is parsed.
 * A reader refuses major versions that it does not know. It ignores fields that it does not know if the minor version is
 * newer than its own, and refuses them otherwise. Format 1 neither counted tasks by their roles
 * nor named more of its history than the parent.
 */
internal object ManifestFormat {
    const val MOST_BYTES = 16 shl 20

    private const val TASKS = "tasks"
    private const val HISTORY = "history"
    private const val HINTS = "hints"
    private const val DIGEST = "digest"
    private const val BEFORE_DIGEST = "    \"digest\": \""
    private const val AFTER_DIGEST = "\"\n}\n"
    private const val DIGEST_DIGITS = 64
    private const val TAIL_BYTES = BEFORE_DIGEST.length + DIGEST_DIGITS + AFTER_DIGEST.length

    private val digestLine = Regex("$BEFORE_DIGEST([0-9a-f]{$DIGEST_DIGITS})$AFTER_DIGEST")

    private val strict =
        Json {
            prettyPrint = true
            encodeDefaults = true
        }
    private val tolerant = Json(strict) { ignoreUnknownKeys = true }

    fun encode(manifest: Manifest): ByteArray {
        if (manifest.format.major > 1) return encode(manifest, strict.encodeToString(Manifest.serializer(), manifest))
        val all = strict.encodeToJsonElement(Manifest.serializer(), manifest).jsonObject
        return encode(manifest, JsonObject(all - TASKS - HISTORY))
    }

    /** [manifest] as it will lie in the store. */
    fun toStore(manifest: Manifest): StoredManifest {
        val bytes = encode(manifest)
        return StoredManifest(manifest, digestIn(bytes), ByteBuffer.wrap(bytes).asReadOnlyBuffer())
    }

    /** The bytes of [stored] with other [hints]. All else stays, also the fields that only a newer version knows. */
    fun withHints(stored: StoredManifest, hints: DataHints): ByteArray {
        val fields = strict.parseToJsonElement(stored.toBytes().decodeToString()).jsonObject - DIGEST
        val present = fields[HINTS]?.jsonObject.orEmpty()
        val changed = present + strict.encodeToJsonElement(DataHints.serializer(), hints).jsonObject
        return encode(stored.manifest, JsonObject(fields + (HINTS to JsonObject(changed))))
    }

    private fun encode(manifest: Manifest, all: JsonObject): ByteArray =
        encode(manifest, strict.encodeToString(JsonObject.serializer(), all))

    private fun encode(manifest: Manifest, text: String): ByteArray {
        val fields = text.removeSuffix("\n}") + ",\n"
        val content = utf8Of(fields) { "the manifest of save ${manifest.save}" }
        require(content.size + TAIL_BYTES <= MOST_BYTES) {
            "a manifest has at most $MOST_BYTES bytes, but that of save ${manifest.save} would have " +
                "${content.size + TAIL_BYTES}: describe its ${manifest.items.size} items in fewer words"
        }
        return content + tail(sha256(content)).encodeToByteArray()
    }

    /** Reads and checks the manifest [file]. If it has the bytes of one that is [known], it is that one. */
    fun read(store: BlockStore, file: Path, known: StoredManifest? = null): StoredManifest {
        val bytes =
            store.readWhole(file, MOST_BYTES)
                ?: throw damagedManifest(file, "its size", "at most $MOST_BYTES bytes", "more")
        return known?.takeIf { it.bytes == ByteBuffer.wrap(bytes) } ?: decode(file, bytes)
    }

    /** [file] is used only in error messages. */
    fun decode(file: Path, bytes: ByteArray): StoredManifest {
        val content = bytes.copyOf((bytes.size - TAIL_BYTES).coerceAtLeast(0))
        val digest = sha256(content)
        if (!bytes.endsWith(tail(digest))) {
            throw damagedManifest(file, "its end", "the digest of the bytes before, $digest", digestIn(bytes))
        }
        return StoredManifest(parse(file, bytes.decodeToString()), digest, ByteBuffer.wrap(bytes).asReadOnlyBuffer())
    }

    private fun parse(file: Path, text: String): Manifest {
        var version: FormatVersion? = null
        return try {
            val fields = strict.parseToJsonElement(text).jsonObject - DIGEST
            version = versionOf(file, fields["format"]?.jsonPrimitive?.content ?: "missing")
            val reader = if (version.isExtended) tolerant else strict
            reader.decodeFromJsonElement(Manifest.serializer(), JsonObject(upgraded(fields, version)))
        } catch (unfit: IllegalArgumentException) {
            throw damagedManifest(file, "its content", "as format ${version ?: "any"} says", unfit.firstLine())
        }
    }

    private fun versionOf(file: Path, found: String): FormatVersion =
        FormatVersion.parse(found)?.takeIf { it.isReadable }
            ?: throw Unreadable(
                Details(
                    "$file: its format should be ${FormatVersion.READABLE}, but is $found. Use a newer version of " +
                        "Cairn. The checkpoint may be good, so no older one is used in its place.",
                    path = file,
                    reason = Reason.NEWER_FORMAT,
                ),
            )

    private fun damagedManifest(file: Path, part: String, expected: String, found: String) =
        Damaged(
            Details(
                "$file: $part should be $expected, but is $found. The manifest is damaged: restore it from another copy.",
                path = file,
            ),
        )

    /** Fills in the fields that an older format lacks. */
    private fun upgraded(fields: Map<String, JsonElement>, version: FormatVersion): Map<String, JsonElement> {
        if (version.major > 1 || TASKS in fields) return fields
        val rankCount = fields["rankCount"]?.jsonPrimitive?.int ?: return fields
        val history = SaveNumbers.upTo(fields["parent"]?.jsonPrimitive?.intOrNull)
        return fields +
            (TASKS to strict.encodeToJsonElement(TaskCount.of(rankCount))) +
            (HISTORY to strict.encodeToJsonElement(history))
    }

    private fun tail(digest: String) = BEFORE_DIGEST + digest + AFTER_DIGEST

    private fun ByteArray.endsWith(text: String): Boolean =
        size >= text.length && copyOfRange(size - text.length, size).contentEquals(text.encodeToByteArray())

    /** The digest in the last lines. */
    private fun digestIn(bytes: ByteArray): String {
        val end = bytes.copyOfRange((bytes.size - TAIL_BYTES).coerceAtLeast(0), bytes.size)
        return digestLine.matchEntire(end.decodeToString())?.run { groupValues[1] } ?: "no digest"
    }

    private fun sha256(bytes: ByteArray): String =
        MessageDigest.getInstance("SHA-256").digest(bytes).let(HexFormat.of()::formatHex)
}
