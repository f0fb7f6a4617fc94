package dev.cairn.benchmarks.baseline

import java.nio.channels.FileChannel
import java.nio.file.OpenOption
import java.nio.file.Path

/** A rank's own file. If the process may not have a file open for each rank, it is closed and opened again. */
internal class OwnFile(private val path: Path, private val staysOpen: Boolean) {
    private var kept: FileChannel? = null

    fun open(vararg options: OpenOption) {
        val channel = FileChannel.open(path, *options)
        if (staysOpen) kept = channel else channel.close()
    }

    fun use(option: OpenOption, job: (FileChannel) -> Unit) = kept?.let(job) ?: FileChannel.open(path, option).use(job)

    fun close() {
        kept?.close()
    }
}
