package dev.cairn.node

import dev.cairn.store.Flaw
import dev.cairn.store.HostPlace
import dev.cairn.store.SealedFile

/** A source of a physical file: the [host] of [rank], or if that is null, the shared store, where a drain has left it. */
internal data class Source(val rank: Int, val host: String?) {
    override fun toString(): String = host ?: "the shared store"
}

/** The physical [file] to be read from [source]; its meta data have this [checksum]. */
internal class SealedPart(val file: String, val source: Source, val checksum: Int) {
    /** Whether the file is in the shared store already. */
    val isDrained: Boolean get() = source.host == null

    /** The same file, when it is in the shared store. */
    fun drained() = SealedPart(file, Source(source.rank, host = null), checksum)
}

/** The [flaw] of a source of a file, which [sentence] describes. */
internal class PartFlaw(val flaw: Flaw, val sentence: String)

/** The complete files of a sealed save that a rank finds on its [host]. */
internal class HostFinds(val host: String, val names: List<String>)

/**
 * Chooses a source for each of the [files] of a sealed save: the shared store if the file is there, else the host whose ranks wrote it,
 * else a host with a copy. A source that has failed is not chosen again. Pure; a restart has it on rank 0 only.
 *
 * @param drained the names of the files in the shared store
 * @param finds the files that each rank finds
 */
internal class SourceChoice(
    private val files: List<SealedFile>,
    private val drained: Set<String>,
    private val finds: List<HostFinds>,
) {
    private val had = mutableListOf<SealedPart>()
    private val failed = mutableListOf<Failed>()

    private class Failed(val part: SealedPart, val flaw: PartFlaw)

    /** The files for which no source is left. */
    val missing: List<SealedFile> get() = wanted().filter { bestSources(it).isEmpty() }

    /** A part for each file that is not drained yet and not [missing], spread evenly over the ranks. */
    fun next(): List<SealedPart> {
        val counts = IntArray(finds.size)
        // Files with few sources come first, since the others have more choice.
        return (wanted() - missing.toSet()).sortedBy { bestSources(it).size }.map { file ->
            val source = bestSources(file).minBy { counts[it.rank] }
            counts[source.rank]++
            SealedPart(file.name, source, file.checksum)
        }
    }

    fun succeed(part: SealedPart) {
        had += part
    }

    fun fail(part: SealedPart, flaw: PartFlaw) {
        failed += Failed(part, flaw)
    }

    /** The flaw of the last source of [file] that has failed; null if none has. */
    fun flawOf(file: SealedFile): String? = flawsOf(file).lastOrNull()?.sentence

    /** The places of [file] where no rank finds it. */
    fun unfoundPlaces(file: SealedFile): List<HostPlace> =
        file.places.filter { place -> onHosts(file).none { it.host == place.host } }

    /** The source from which [file] was had; null if it was not had yet. */
    fun sourceOf(file: SealedFile): Source? = had.find { it.file == file.name }?.source

    /** Whether a source of [file] that has failed may be read by a later restart. */
    fun mayBeReadLater(file: SealedFile): Boolean = flawsOf(file).any { it.flaw == Flaw.UNREADABLE }

    private fun flawsOf(file: SealedFile) = failed.filter { it.part.file == file.name }.map { it.flaw }

    /** The files by source. */
    override fun toString(): String =
        had.sortedBy { it.file }.groupBy({ it.source.host }, { it.file }).entries.joinToString("; ") { (host, names) ->
            names.joinToString() + if (host == null) " had been drained before" else " from $host"
        }

    private fun wanted() = files.filter { file -> had.none { it.file == file.name } }

    /** The sources of the best kind. */
    private fun bestSources(file: SealedFile): List<Source> {
        val inStore = if (file.name in drained) finds.indices.map { Source(it, host = null) } else emptyList()
        val (own, copies) = onHosts(file).partition { it.host == file.places.first().host }
        return listOf(inStore, own, copies)
            .map {
                it.filter { source ->
                    isOpen(file, source)
                }
            }.firstOrNull { it.isNotEmpty() }
            .orEmpty()
    }

    private fun onHosts(file: SealedFile): List<Source> =
        finds
            .withIndex()
            .filter { (_, finds) ->
                file.name in finds.names
            }.map { (rank, finds) -> Source(rank, finds.host) }

    private fun isOpen(file: SealedFile, source: Source) =
        failed.map { it.part }.none { it.file == file.name && it.source.isSameAs(source) }

    /** Files in the shared store are the same for all ranks. */
    private fun Source.isSameAs(other: Source) = host == other.host && (host == null || rank == other.rank)
}
