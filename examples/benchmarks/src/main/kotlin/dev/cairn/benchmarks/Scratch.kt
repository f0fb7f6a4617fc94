package dev.cairn.benchmarks

import java.io.Closeable
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import kotlin.io.path.isDirectory
import kotlin.io.path.isWritable
import kotlin.io.path.moveTo
import kotlin.io.path.name

/**
 * A new directory for the benchmarks' files. Its creator closes it, which deletes it with its content. The end of the JVM
 * deletes it as well, so that an interrupted run leaves no files.
 */
internal class Scratch private constructor(val directory: Path) : Closeable {
    private val deleted = AtomicBoolean()

    init {
        Runtime.getRuntime().addShutdownHook(Thread(::close))
    }

    /** Renames the directory first, so that a job that still runs after an interrupt can create no more files in it. */
    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        if (deleted.compareAndSet(false, true)) {
            directory.moveTo(directory.resolveSibling("${directory.name}-deleting")).deleteRecursively()
        }
    }

    companion object {
        private val memory: Path = Path.of("/dev/shm")

        fun inside(parent: Path): Scratch = Scratch(Files.createTempDirectory(parent, "cairn-bench-"))

        /** The memory file system, whose speed is steady, or the temporary directory if the memory file system is too small. */
        fun parentFor(byteCount: Long, tell: (String) -> Unit): Path {
            if (memory.isDirectory() && memory.isWritable() && freeBytes(memory) >= byteCount) {
                return memory
            }
            val parent = Path.of(System.getProperty("java.io.tmpdir"))
            tell(
                "ATTENTION: $memory cannot take ${byteCount shr 20} MiB, so the files go to $parent. " +
                    "If that is a disk, its speed may wander more than any difference that is measured here.",
            )
            return parent
        }

        private fun freeBytes(directory: Path): Long = Files.getFileStore(directory).usableSpace
    }
}
