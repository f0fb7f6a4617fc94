package dev.cairn

import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.readBytes

/** The files to which a program under trial appends. They exist only while it is tried. */
internal class WatchedOutputs(
    private val files: List<Path>,
) {
    /** Nobody wants a test to delete what was there before. */
    fun requireAbsent() {
        val existing = files.firstOrNull { it.exists() }
        require(existing == null) { "the output $existing is there already: give each trial files of its own" }
    }

    /** What lies in them now, by their names. */
    fun digests(): Map<String, String> = files.associate { "$it" to if (it.exists()) digest(it) else "none" }

    fun remove() = files.forEach { it.deleteIfExists() }

    private fun digest(file: Path): String =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file.readBytes()))
}
