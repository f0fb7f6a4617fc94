package dev.cairn.testing

import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.deleteIfThere
import dev.cairn.store.readWhole
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat

/** The files to which a program under trial appends. They exist only while it is tried. */
internal class WatchedOutputs(private val outputs: List<Path>) {
    private val files = FileBlockStore()

    /** A test must not delete what was there before. */
    fun requireAbsent() {
        val existing = outputs.firstOrNull { files.exists(it) }
        require(existing == null) { "the output $existing exists already: give each trial files of its own" }
    }

    /** Those that exist, by name, without those at the absolute paths [except]. */
    fun contents(except: Set<Path> = emptySet()): Map<String, ByteArray> =
        outputs
            .filter { files.exists(it) && it.toAbsolutePath().normalize() !in except }
            .associate { "$it" to read(it) }

    /** Digests of their present content, by name. */
    fun digests(): Map<String, String> = outputs.associate { "$it" to if (files.exists(it)) digest(it) else "none" }

    fun remove() = outputs.forEach { files.deleteIfThere(it) }

    private fun digest(output: Path): String =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(read(output)))

    private fun read(output: Path): ByteArray =
        checkNotNull(files.readWhole(output, MOST_BYTES)) { "$output is too large for a trial" }
}

/** Of an output. */
internal const val MOST_BYTES = 1 shl 28
