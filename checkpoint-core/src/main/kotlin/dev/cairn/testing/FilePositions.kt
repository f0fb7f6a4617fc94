package dev.cairn.testing

import dev.cairn.ranks.linesOf
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.name
import java.io.IOException
import java.nio.file.Path

/**
 * The positions of the files that the process [pid] has open, as Linux tells it, without those of its virtual machine and those below
 * [store].
 *
 * @param work its working directory
 */
internal class FilePositions(pid: Long, private val work: Path, private val store: Path) {
    private val files = FileBlockStore()
    private val process = Path.of("/proc/$pid")

    /** Their positions; null if the system does not tell. Those of files to which it only appends say nothing. */
    fun positions(): Map<HeldView.Place, String>? = if (files.exists(process)) positionsOfOpen() else null

    private fun positionsOfOpen(): Map<HeldView.Place, String> =
        files
            .list(process.resolve("fd"))
            .filter { it.name.toInt() > STANDARD_ERROR }
            .mapNotNull(::position)
            .groupBy({ (file) -> file }, { (_, position) -> position })
            .map { (file, at) -> placeOf(file) to "byte ${at.sorted().joinToString()}" }
            .toMap()

    private fun placeOf(file: Path): HeldView.Place {
        val place = "position in ${if (file.startsWith(work)) work.relativize(file) else file}"
        return HeldView.Place(place, place)
    }

    private fun position(descriptor: Path): Pair<Path, Long>? {
        val file = fileOf(descriptor) ?: return null
        val facts =
            linesOf(process.resolve("fdinfo/${descriptor.name}")).associate { line ->
                line.substringBefore(':') to line.substringAfter(':').trim()
            }
        val position = facts["pos"]?.toLongOrNull()
        val isAppended = facts["flags"]?.toLongOrNull(radix = 8)?.let { it and APPEND != 0L } ?: true
        return if (position == null || isAppended) null else file to position
    }

    /** Null for what is no file, such as a pipe, and for one that is not the program's. */
    private fun fileOf(descriptor: Path): Path? {
        val file =
            try {
                files.followed(descriptor)
            } catch (_: IOException) {
                return null
            }
        val isOther = OTHERS.any(file::startsWith) || file.startsWith(store) || file.name.endsWith(".jar")
        return file.takeUnless { isOther }
    }
}

private const val STANDARD_ERROR = 2

/** O_APPEND. */
private const val APPEND = 0b100_0000_0000L
private val OTHERS = listOf("/dev", "/proc", "/sys", System.getProperty("java.home")).map { Path.of(it) }
