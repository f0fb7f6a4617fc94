package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Structure
import dev.cairn.ranks.linesOf
import dev.cairn.ranks.one
import dev.cairn.ranks.text
import java.nio.file.Path

/**
 * The part of one rank in a multifile that is to be written, as far as the choice of files depends on it.
 *
 * @property byteCount the bytes of the rank, as far as they are known
 */
internal data class Load(val byteCount: Long, val writer: Writer)

/**
 * The rank that writes the bytes of a rank: that rank itself, or a dedicated one.
 *
 * @property number identifies the writer within the multifile
 */
internal data class Writer(val number: Int, val host: String, val cores: Cores) {
    companion object {
        /** Each rank writes for itself. */
        fun self(ranks: Communicator, cores: Cores = Cores.OF_THIS_PROCESS) = Writer(ranks.rank, ranks.host, cores)
    }
}

/**
 * The cores on which the threads of a process may run. Launchers give each process of a host cores of its own, or the same to all:
 * processes with the same [set] share its [count] cores, and others have more.
 */
internal data class Cores(val count: Int, val set: String = "") {
    companion object {
        private const val ALLOWED = "Cpus_allowed_list:"

        /** Systems without such a file do not bind processes to cores. */
        val OF_THIS_PROCESS: Cores by lazy {
            val allowed = linesOf(Path.of("/proc/self/status")).find { it.startsWith(ALLOWED) }
            Cores(Runtime.getRuntime().availableProcessors(), allowed?.removePrefix(ALLOWED)?.trim().orEmpty())
        }
    }
}

private val CORES = Structure(Cores(0)) { Cores(u32(it.count), text(it.set)) }

private val WRITER =
    Structure(Writer(0, "", CORES.blank)) { Writer(u32(it.number), text(it.host), one(it.cores, CORES)) }

internal val LOAD = Structure(Load(0, WRITER.blank)) { Load(u64(it.byteCount), one(it.writer, WRITER)) }
