package dev.cairn.sion.log

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.nio.file.Path

internal val LOG: Path = Path.of("/log")

/** A disk with an empty directory for a log, which no crash takes away. */
internal fun logDisk(disk: SimulatedDisk = SimulatedDisk()): SimulatedDisk {
    disk.host("node").makeDirectory(LOG)
    disk.host("node").forceDirectory(Path.of("/"))
    return disk
}

internal fun newLog(): BlockStore = logDisk().host("node")

internal fun segmentPath(number: Int): Path = LOG.resolve("s%06d.log".format(number))

/** A store with these segments; null for one that is missing. */
internal fun storeOf(segments: List<ByteArray?>): BlockStore {
    val store = newLog()
    segments.forEachIndexed { number, bytes ->
        if (bytes != null) store.create(segmentPath(number)).use { it.write(0, bytes) }
    }
    return store
}

internal fun seen(segments: List<ByteArray?>): SeenLog = see(storeOf(segments), LOG)

internal fun segmentsOf(store: BlockStore, directory: Path = LOG): List<ByteArray> =
    store.list(directory).map(store::bytesOf)
