package dev.cairn.examples

import dev.cairn.multifile.filePerHost
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allGatherLong
import dev.cairn.ranks.allGatherText
import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.gatherText
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.FileBlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/** What ranks see of their hosts. Its arguments: a directory that each host has for itself, and one that all share. */
internal suspend fun main(args: Array<String>) {
    val (own, shared) = args.map(Path::of)
    everyRank(1) { lookAround(own, shared.resolve("hosts.sion")) }.flatten().forEach(::println)
}

// region hosts

/** Collective: returns the hosts of all ranks on rank 0, and fails if a host's ranks or its files are not its own. */
internal suspend fun Communicator.lookAround(own: Path, multifile: Path): List<String> {
    val neighbours = hostGroup()
    val found = neighbours.allGatherLong(rank.toLong()).map { it.toInt() }
    val hosts = allGatherText(host)
    collectively(
        "compare the groups",
    ) { check(found == hosts.indices.filter { hosts[it] == host }) { "group: $found" } }

    val marker = own.resolve("marker.txt")
    collectively("write a marker file") { if (neighbours.rank == 0) put(marker, "This is $host.") }
    val text = collectively("read the marker file") { textOf(marker).also { check(it == "This is $host.") { it } } }

    writeMultifile(MultifileSpec.parallel(multifile).withMapping(filePerHost()), chunkSize = 512) {
        it.append(ByteBuffer.wrap("Rank $rank was here.".encodeToByteArray()))
    }
    return gatherText(0, "rank $rank is on $host, with ranks $found; a marker in $own says '$text'")
}
// endregion

private fun put(file: Path, text: String) =
    FileBlockStore().create(file).use { it.write(0, ByteBuffer.wrap(text.encodeToByteArray())) }

private fun textOf(file: Path): String =
    FileBlockStore().open(file, Access.READ).use {
        val bytes = ByteBuffer.allocate(it.size().toInt())
        it.readFully(0, bytes)
        bytes.array().decodeToString()
    }
