package dev.cairn.sion.fuzz

import java.nio.file.Path
import java.util.zip.ZipEntry
import java.util.zip.ZipInputStream
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.outputStream
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/**
 * The inputs that campaigns found worth keeping, each named by its digest. They are one file, since hundreds of small
 * ones would bury everything else in a change.
 */
enum class Corpus(name: String) {
    MULTIFILES("corpus.zip"),
    LOGS("logs.zip"),
    NETCDF_FILES("netcdf.zip"),
    BURST_LOGS("burst-logs.zip"),
    ;

    private val resource = "/fuzz/$name"
    private val source = Path.of("src/test/resources$resource")

    /** By name. */
    fun inputs(): Map<String, ByteArray> =
        ZipInputStream(checkNotNull(Corpus::class.java.getResourceAsStream(resource))).use { zip ->
            generateSequence(zip::getNextEntry).associate { it.name to zip.readBytes() }
        }

    /** The first [most] of them, by name, for the fuzzer, which wants a directory. */
    fun unpack(directory: Path, most: Int) =
        inputs().entries.take(most).forEach { (name, bytes) -> directory.resolve(name).writeBytes(bytes) }

    /** Lets the files in [directory] be the corpus in the sources. The same files give the same bytes. */
    fun replace(directory: Path) {
        source.parent.createDirectories()
        ZipOutputStream(source.outputStream()).use { zip ->
            directory.listDirectoryEntries().sortedBy { it.name }.forEach { file ->
                zip.putNextEntry(ZipEntry(file.name).apply { time = 0 })
                zip.write(file.readBytes())
            }
        }
    }
}
