package dev.cairn.proof.local

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import java.nio.file.Path

/** The name of each host's own disk. */
internal val SCRATCH: Path = Path.of("/scratch")

/** The directory on it that programs name. */
internal val LOCAL: Path = SCRATCH.resolve("saves")

/** The disk of one host. */
internal fun SimulatedDisk.withScratch(): SimulatedDisk =
    apply {
        host("setup").makeDirectory(SCRATCH)
        host("setup").forceDirectory(Path.of("/"))
    }

/** A disk that all hosts share, and one of each host's own below [SCRATCH]. */
internal class HostDisks(
    val shared: SimulatedDisk = SimulatedDisk().withParent(),
    own: Map<String, SimulatedDisk> = emptyMap(),
) {
    private val own = own.toMutableMap()
    private val doors = mutableMapOf<String, BlockStore>()

    fun ownDisk(host: String): SimulatedDisk = synchronized(own) { own.getOrPut(host, ::newDisk) }

    /** All files as [host] sees them. */
    fun door(host: String): BlockStore =
        synchronized(doors) { doors.getOrPut(host) { Door(shared.host(host), ownDisk(host).host(host)) } }

    /** The host goes down, and comes up again with what it had forced. */
    fun crashHost(host: String) {
        shared.crashHost(host)
        ownDisk(host).crashHost(host)
        synchronized(doors) { doors.remove(host) }
    }

    /** New disks, with what a crash of all hosts now leaves of the unsynced changes of each: all or none. */
    fun afterCrash(isLost: (disk: String) -> Boolean): HostDisks {
        fun SimulatedDisk.after(name: String) =
            afterCrash(CrashOutcome.losing(if (isLost(name)) unsyncedChanges().toSet() else emptySet()))
        return HostDisks(shared.after("shared"), own.mapValues { (host, disk) -> disk.after(host) })
    }

    /** The host is lost, with its disk; another one gets its name. */
    fun lose(host: String) {
        synchronized(own) { own[host] = newDisk() }
        synchronized(doors) { doors.remove(host) }
    }

    /** The disk of a lost host is found again. */
    fun giveBack(host: String, disk: SimulatedDisk) {
        synchronized(own) { own[host] = disk }
        synchronized(doors) { doors.remove(host) }
    }

    private fun newDisk() = SimulatedDisk().withScratch()

    private class Door(private val shared: BlockStore, private val own: BlockStore) : BlockStore {
        private fun of(path: Path) = if (path.startsWith(SCRATCH)) own else shared

        override fun open(file: Path, access: Access): BlockFile = of(file).open(file, access)

        override fun create(file: Path): BlockFile = of(file).create(file)

        override fun exists(path: Path): Boolean = of(path).exists(path)

        override fun list(directory: Path): List<Path> = of(directory).list(directory)

        override fun makeDirectory(directory: Path) = of(directory).makeDirectory(directory)

        override fun rename(from: Path, to: Path) = of(from).rename(from, to)

        override fun delete(path: Path) = of(path).delete(path)

        override fun forceDirectory(directory: Path) = of(directory).forceDirectory(directory)

        override fun freeSpace(path: Path): Long = of(path).freeSpace(path)

        override fun blockSize(path: Path): BlockStore.BlockSize = of(path).blockSize(path)
    }
}
