package dev.cairn.run

import dev.cairn.item.mark
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.Serializable
import java.nio.file.Path
import java.util.HexFormat

/**
 * The [file] was kept for the save [number] of [store], a directory.
 *
 * @property mark the [markOf] the file, if it was just what the save covers; null if it had more, or if this is not known
 */
@Serializable
internal data class KeptOutput(val file: String, val number: Int, val store: String, val mark: String? = null) {
    val path: Path get() = Path.of(file)

    /** The output whose file it was. */
    val output: Path get() = Path.of(file.removeSuffix(".save-$number"))

    init {
        val isKept = number > 0 && path.isAbsolute && path == path.normalize() && output != path
        require(isKept) { "$file was never kept for save $number" }
    }

    /** Whether the file is no more and no less than what the save has covered. A link may lead to a file of others. */
    fun isJustThat(files: BlockStore) = files.followed(path) == path && markOf(files, path) == mark

    companion object {
        /** The mark of an output with all bytes of [file], in hexadecimal digits. */
        fun markOf(files: BlockStore, file: Path): String =
            files.open(file, Access.READ).use {
                HexFormat.of().formatHex(it.mark(it.size(), DigestFormula.NEWEST, head = 0).encode())
            }
    }
}
