package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.readBareArrays
import dev.cairn.benchmarks.baseline.readKryo
import dev.cairn.benchmarks.baseline.readObjects
import dev.cairn.benchmarks.baseline.writeBareArrays
import dev.cairn.benchmarks.baseline.writeKryo
import dev.cairn.benchmarks.baseline.writeObjects
import java.nio.file.Path
import kotlin.io.path.deleteExisting

/** Other ways to write arrays, each into a file of its own, and to read them. Bare channels read into the arrays that are there. */
internal enum class Peer(
    private val words: String,
    val write: (List<Path>, List<DoubleArray>, isForced: Boolean) -> Unit,
    val read: (List<Path>, List<DoubleArray>) -> Unit,
) {
    BARE_CHANNELS("bare channels", ::writeBareArrays, ::readBareArrays),
    OBJECT_STREAMS("object streams", ::writeObjects, { files, _ -> readObjects(files) }),
    KRYO("Kryo", ::writeKryo, { files, _ -> readKryo(files) }),
    ;

    override fun toString(): String = words
}

/** The files of peers with these [arrays]. */
internal class PeerFiles(private val bench: Bench, private val arrays: List<DoubleArray>) {
    private val files = arrays.indices.map { bench.directory.resolve("bare.$it") }

    fun writing(peer: Peer) = Side({ peer.write(files, arrays, bench.isOnDisk) }, settle = ::delete)

    /** Passes [compare] the reading of files that are there for as long. */
    fun <T> reading(peer: Peer, compare: (Side) -> T): T {
        peer.write(files, arrays, false)
        return compare(Side({ peer.read(files, arrays) })).also { delete() }
    }

    private fun delete() = files.forEach { it.deleteExisting() }
}
