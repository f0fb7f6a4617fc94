package dev.cairn.multifile

import dev.cairn.event.sizeText
import dev.cairn.sion.FileMapping

/**
 * The bounds of a choice of physical files.
 *
 * @property bytesPerFile the least bytes for which one more file is made: smaller ones cost more to create than they save
 * @property fileCount the maximum number of files of all hosts, if there are no more hosts than that
 */
internal data class FileBounds(val bytesPerFile: Long = 64L shl 20, val fileCount: Int = 1024)

/**
 * The physical files of a multifile to which the ranks bring these [loads]: a file system lets one writer at a time into a file, so
 * each host gets as many as it has writers, but at most one for each core, and one for each [bytes][FileBounds.bytesPerFile]. Hosts
 * with fewer bytes share files with their neighbours. The writers of a file are neighbours, too, and the words of the mapping say which
 * bound holds.
 */
internal fun chooseFiles(loads: List<Load>, bounds: FileBounds): FileMapping {
    val parts = partsOf(hostsOf(loads), bounds.bytesPerFile)
    val most = maxOf(bounds.fileCount, parts.size)
    val share = largestShare(parts.map { it.fileCount(bounds) }, most)
    val fileOfRank = IntArray(loads.size)
    var next = 0
    for (part in parts) {
        val count = minOf(part.fileCount(bounds), share)
        part.fileOfWriters(count).forEach { (writer, file) -> writer.ranks.forEach { fileOfRank[it] = next + file } }
        next += count
    }
    val reasons = parts.map { if (it.fileCount(bounds) > share) "at most $most" else it.reason(bounds) }
    return FileMapping.byFile(fileOfRank::get).describedAs(reasons.distinct().joinToString(" or "))
}

/** All that one writer writes: the bytes of its [ranks]. */
private class WriterLoad(val writer: Writer, val ranks: List<Int>, val byteCount: Long)

/** The writers of one host, in the order of their lowest ranks. */
private class HostLoad(val writers: List<WriterLoad>) {
    val byteCount = writers.sumOf { it.byteCount }

    val coreCount =
        writers
            .map { it.writer.cores }
            .groupBy { it.set }
            .values
            .sumOf { sharing -> sharing.maxOf { it.count } }
}

/** Hosts that share no file with others: one, or several with few bytes. */
private class JoinedHosts(hosts: List<HostLoad>) {
    private val writers = hosts.flatMap { it.writers }
    private val byteCount = hosts.sumOf { it.byteCount }
    private val mostBytes = writers.maxOf { it.byteCount }
    private val writerCount = writers.count(::counts)

    /** The cores that have something to write. */
    private val coreCount = hosts.sumOf { host -> minOf(host.coreCount, host.writers.count(::counts)) }

    fun fileCount(bounds: FileBounds): Int =
        minOf(coreCount.toLong(), byteCount / bounds.bytesPerFile).toInt().coerceAtLeast(1)

    fun reason(bounds: FileBounds): String {
        val count = fileCount(bounds)
        return when {
            count == writerCount -> "one for each rank that writes"
            byteCount < 2 * bounds.bytesPerFile -> "for less than ${sizeText(2 * bounds.bytesPerFile)} of state"
            count == coreCount -> "one for each core"
            else -> "one for each ${sizeText(bounds.bytesPerFile)} of state"
        }
    }

    /** Equal shares of [fileCount] files; a writer that does not count is in the file of the one before. */
    fun fileOfWriters(fileCount: Int): List<Pair<WriterLoad, Int>> {
        var before = 0L
        return writers.map { writer ->
            val index = if (counts(writer)) before++ else maxOf(before - 1, 0)
            writer to (index * fileCount / writerCount).toInt()
        }
    }

    /** Where concentrators write the large items, the few bytes of other ranks do not need a file of their own. */
    private fun counts(writer: WriterLoad) = writer.byteCount >= mostBytes / SMALL_SHARE
}

private const val SMALL_SHARE = 16

private fun hostsOf(loads: List<Load>): List<HostLoad> =
    loads.indices
        .groupBy { loads[it].writer.number }
        .values
        .map { ranks -> WriterLoad(loads[ranks.first()].writer, ranks, ranks.sumOf { loads[it].byteCount }) }
        .groupBy { it.writer.host }
        .values
        .map(::HostLoad)

/** Neighbouring [hosts] make up a part as soon as they have [bytesPerFile]; the last ones may have to join the part before them. */
private fun partsOf(hosts: List<HostLoad>, bytesPerFile: Long): List<JoinedHosts> {
    val parts = ArrayList<MutableList<HostLoad>>()
    var byteCount = bytesPerFile
    for (host in hosts) {
        if (byteCount >= bytesPerFile) {
            parts += ArrayList<HostLoad>()
            byteCount = 0
        }
        parts.last().add(host)
        byteCount += host.byteCount
    }
    if (parts.size > 1 && byteCount < bytesPerFile) {
        val rest = parts.removeAt(parts.size - 1)
        parts.last().addAll(rest)
    }
    return parts.map(::JoinedHosts)
}

/** The most files that each part may have for [most] at all. */
private fun largestShare(wanted: List<Int>, most: Int): Int =
    (wanted.max() downTo 1).first { share -> wanted.sumOf { minOf(it, share) } <= most }
