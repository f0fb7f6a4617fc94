package dev.cairn.output

import dev.cairn.event.sentence
import dev.cairn.sion.log.LogReader
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.deleteIfThere
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path
import java.util.zip.CRC32C

/**
 * The directory in which the ranks of a host have their logs for one [output]. The name of a log has the name of the file, a checksum of
 * its path, the host, the rank, and a number:
 *
 * ```
 * heat.nc-5d7e8b64.node3.17.2/    the log 2 of rank 17
 *   s000000.log
 * ```
 */
internal class LogDirectory(
    private val store: BlockStore,
    private val directory: Path,
    private val host: String,
    output: Path,
) {
    private val prefix = "${output.fileName}-${checksumOf(output)}.$host."

    /** The place of a log. */
    fun place(rank: Int, number: Long): Path = directory.resolve("$prefix$rank.$number")

    /** Makes the directory of a new log. */
    fun make(rank: Int, number: Long): Path = place(rank, number).also(store::makeDirectory)

    /** Makes the directory if it is missing, and deletes what earlier runs have left in it for this output. */
    fun prepare() {
        try {
            store.makeDirectory(directory)
        } catch (_: FileAlreadyExistsException) {
            store.list(directory).filter(::isLog).forEach(::delete)
        }
    }

    private fun isLog(path: Path) =
        "${path.fileName}".let { it.startsWith(prefix) && NUMBERS.matches(it.drop(prefix.length)) }

    /** Deletes a log that is no longer needed; if that fails, the next run tries again. */
    fun delete(log: Path) {
        try {
            deleteLog(log)
        } catch (failure: IOException) {
            LOG.log(WARNING, "$log: the log cannot be deleted: ${failure.sentence()} The next run tries it again")
        }
    }

    /** Files of others stay, and so does the directory then. */
    private fun deleteLog(log: Path) {
        LogReader.segments(store, log).forEach { store.deleteIfThere(it) }
        store.deleteIfThere(log)
    }

    override fun toString() = "$directory"
}

private val LOG: System.Logger = System.getLogger(LogDirectory::class.java.name)
private val NUMBERS = Regex("[0-9]+\\.[0-9]+")

private fun checksumOf(output: Path): String {
    val path = output.toAbsolutePath().normalize().toString()
    return "%08x".format(CRC32C().apply { update(path.encodeToByteArray()) }.value)
}
