package dev.cairn.store

import dev.cairn.CheckpointException.DamagedManifest
import dev.cairn.CheckpointException.UnsupportedManifest
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
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
 *     "format": "1.0",
 *     "digest": "64 lower-case hexadecimal digits"
 * }
 * ```
 *
 * The last two lines have a fixed length, so the digest is found from the end, and checked before anything is parsed.
 * A reader refuses another major version. It ignores fields that it does not know if the minor version is newer than its
 * own, and refuses them otherwise.
 */
internal object ManifestFormat {
    const val WRITTEN = "1.0"
    const val MOST_BYTES = 16 shl 20

    private const val MAJOR = 1
    private const val MINOR = 0
    private const val BEFORE_DIGEST = "    \"digest\": \""
    private const val AFTER_DIGEST = "\"\n}\n"
    private const val DIGEST_DIGITS = 64
    private const val TAIL_BYTES = BEFORE_DIGEST.length + DIGEST_DIGITS + AFTER_DIGEST.length

    private val digestLine = Regex("$BEFORE_DIGEST([0-9a-f]{$DIGEST_DIGITS})$AFTER_DIGEST")
    private val version = Regex("([0-9]{1,6})\\.([0-9]{1,6})")

    private val strict =
        Json {
            prettyPrint = true
            encodeDefaults = true
        }
    private val tolerant = Json(strict) { ignoreUnknownKeys = true }

    fun encode(manifest: Manifest): ByteArray {
        val fields = strict.encodeToString(Manifest.serializer(), manifest).removeSuffix("\n}") + ",\n"
        val content = fields.encodeToByteArray()
        require(content.size + TAIL_BYTES <= MOST_BYTES) {
            "a manifest has at most $MOST_BYTES bytes, but that of save ${manifest.save} would have " +
                "${content.size + TAIL_BYTES}: describe its ${manifest.items.size} items in fewer words"
        }
        return content + tail(sha256(content)).encodeToByteArray()
    }

    /** Reads and checks the manifest [file]. */
    fun read(
        store: BlockStore,
        file: Path,
    ): StoredManifest {
        val bytes =
            store.readWhole(file, MOST_BYTES)
                ?: throw DamagedManifest(file, "its size", "at most $MOST_BYTES bytes", "more")
        return decode(file, bytes)
    }

    /** [file] is only for the words of a refusal. */
    fun decode(
        file: Path,
        bytes: ByteArray,
    ): StoredManifest {
        val content = bytes.copyOf((bytes.size - TAIL_BYTES).coerceAtLeast(0))
        val digest = sha256(content)
        if (!bytes.endsWith(tail(digest))) {
            throw DamagedManifest(file, "its end", "the digest of the bytes before, $digest", digestIn(bytes))
        }
        return StoredManifest(parse(file, bytes.decodeToString()), digest)
    }

    private fun parse(
        file: Path,
        text: String,
    ): Manifest =
        try {
            val fields = strict.parseToJsonElement(text).jsonObject
            readerOf(file, fields["format"]?.jsonPrimitive?.content ?: "missing")
                .decodeFromJsonElement(Manifest.serializer(), JsonObject(fields - "digest"))
        } catch (unfit: IllegalArgumentException) {
            throw DamagedManifest(file, "its content", "as format $WRITTEN says", unfit.firstLine())
        }

    private fun readerOf(
        file: Path,
        found: String,
    ): Json {
        val (major, minor) = version.matchEntire(found)?.destructured ?: throw unsupported(file, found)
        if (major.toInt() != MAJOR) throw unsupported(file, found)
        return if (minor.toInt() > MINOR) tolerant else strict
    }

    private fun unsupported(
        file: Path,
        found: String,
    ) = UnsupportedManifest(file, found, "$MAJOR.x")

    private fun tail(digest: String) = BEFORE_DIGEST + digest + AFTER_DIGEST

    private fun ByteArray.endsWith(text: String): Boolean =
        size >= text.length && copyOfRange(size - text.length, size).contentEquals(text.encodeToByteArray())

    /** The digest that the last lines claim. */
    private fun digestIn(bytes: ByteArray): String {
        val end = bytes.copyOfRange((bytes.size - TAIL_BYTES).coerceAtLeast(0), bytes.size)
        return digestLine.matchEntire(end.decodeToString())?.run { groupValues[1] } ?: "no digest"
    }

    private fun sha256(bytes: ByteArray): String =
        MessageDigest.getInstance("SHA-256").digest(bytes).let(HexFormat.of()::formatHex)
}
