package dev.cairn.benchmarks.sections

import dev.cairn.ranks.RankPlan
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path
import kotlin.io.path.createDirectory

/** Hosts of ranks of this process, one each. The disks of [count], and the one that all share, are directories in [parent]. */
internal class SimulatedHosts(
    private val parent: Path,
    private val count: Int,
    filesOf: (SimulatedHosts) -> BlockStore,
) {
    /** What each host calls its own disk. */
    val local: Path = parent.resolve("local")
    val disks: List<Path> = List(count) { parent.resolve(nameOf(it)) }
    private val shared: Path = parent.resolve("shared")

    /** The files of all hosts by their true names. */
    val files: BlockStore = filesOf(this)
    private val doors = disks.map { HostStore(files, local, it) }

    /** The place of a store of this [name] on the disk that they share. */
    fun store(name: String): Path = shared.resolve(name)

    fun make() = disks.plusElement(shared).forEach { it.createDirectory() }

    /** All files. */
    fun delete() = disks.plusElement(shared).forEach { it.deleteAll() }

    fun plan(rankCount: Int = count) = RankPlan(rankCount, hosts = ::nameOf)

    /** The files as the host of [rank] sees them. */
    fun filesOf(rank: Int): BlockStore = doors[rank]

    private fun nameOf(rank: Int) = "node$rank"
}
