package dev.cairn.run

import dev.cairn.store.SealedFile

/** Where a physical file may be had: by [rank], from its [host], or if that is null, from the shared store, where a drain has left it. */
internal data class Source(
    val rank: Int,
    val host: String?,
) {
    override fun toString(): String = host ?: "the shared store"
}

/** The physical [file] that is to be had from [source]; its meta data have this [checksum]. */
internal class SealedPart(
    val file: String,
    val source: Source,
    val checksum: Int,
)

/** The complete files of a sealed save that a rank finds on its [host]. */
internal class HostFinds(
    val host: String,
    val names: List<String>,
)

/**
 * Chooses for each of the [files] of a sealed save where it is had: from the shared store if it is there, else from the host whose ranks
 * wrote it, else from one with a copy. A source that has failed is not chosen again. Pure; on rank 0 only.
 *
 * @param drained the names of the files in the shared store
 * @param finds what each rank finds
 */
internal class SourceChoice(
    private val files: List<SealedFile>,
    private val drained: Set<String>,
    private val finds: List<HostFinds>,
) {
    private val had = mutableListOf<SealedPart>()
    private val failed = mutableListOf<Failed>()

    private class Failed(
        val part: SealedPart,
        val flaw: String,
    )

    /** The files for which no source is left. */
    val missing: List<SealedFile> get() = wanted().filter { bestSources(it).isEmpty() }

    /** A part for each file that was not had yet and is not [missing]; ranks get about as many each. */
    fun next(): List<SealedPart> {
        val counts = IntArray(finds.size)
        // Files with few sources first: the others have more to choose from.
        return (wanted() - missing.toSet()).sortedBy { bestSources(it).size }.map { file ->
            val source = bestSources(file).minBy { counts[it.rank] }
            counts[source.rank]++
            SealedPart(file.name, source, file.checksum)
        }
    }

    fun succeed(part: SealedPart) {
        had += part
    }

    fun fail(
        part: SealedPart,
        flaw: String,
    ) {
        failed += Failed(part, flaw)
    }

    /** The flaw of the last source of [file] that has failed; null if none has. */
    fun flawOf(file: SealedFile): String? = failed.findLast { it.part.file == file.name }?.flaw

    /** What came from where. */
    override fun toString(): String =
        had.sortedBy { it.file }.groupBy({ it.source.host }, { it.file }).entries.joinToString("; ") { (host, names) ->
            names.joinToString() + if (host == null) " had been drained before" else " from $host"
        }

    private fun wanted() = files.filter { file -> had.none { it.file == file.name } }

    /** All of equal worth. */
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

    private fun isOpen(
        file: SealedFile,
        source: Source,
    ) = failed.map { it.part }.none { it.file == file.name && it.source.isSameAs(source) }

    /** What one rank finds in the shared store, all do. */
    private fun Source.isSameAs(other: Source) = host == other.host && (host == null || rank == other.rank)
}
