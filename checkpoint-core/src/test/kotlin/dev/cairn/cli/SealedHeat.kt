package dev.cairn.cli

import dev.cairn.proof.local.HostDisks
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.HostPlace
import dev.cairn.store.SaveNames
import dev.cairn.store.SealedPlaces
import dev.cairn.store.deleteIfThere
import dev.cairn.store.writeNew
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.zip.CRC32C

/** The identity of all stores here, so that places have the same names in every run. */
internal const val IDENTITY = "3f2a91c0-5d7e-8b64"

/** The directory on each host's own disk. */
internal val SCRATCH_ME: Path = Path.of("/scratch/me")

/** A disk that the hosts `node0` and `node1` share, with checkpoints, and a disk of each of them. */
internal class SealedHeat {
    val disks = HostDisks(SimulatedDisk())

    /** The command on each host. */
    val on = listOf("node0", "node1").map { HeatCheckpoints(disks.door(it)) }

    /** Makes a committed save of two files one that is sealed, with a file on each host. */
    fun seal(number: Int, store: Path = HEAT) {
        val shared = on[0].files
        val save = store.resolve(SaveNames.directory(number))
        if (!shared.exists(store.resolve(SaveNames.IDENTITY))) {
            shared.writeNew(store.resolve(SaveNames.IDENTITY), IDENTITY.encodeToByteArray())
        }
        val manifest = on[0].read(save.resolve(SaveNames.MANIFEST)).array()
        val places =
            listOf("data.sion", "data.sion.000001").mapIndexed { host, name ->
                val checksum = shared.metaChecksum(save.resolve(name))
                val part = partOf(number, name)
                on[host].files.makeAll(part.parent)
                on[host].files.writeNew(part, on[host].read(save.resolve(name)).array())
                on[host].files.writeNew(part.resolveSibling(SaveNames.MANIFEST), manifest)
                shared.delete(save.resolve(name))
                HostPlace(name, "node$host below ${SCRATCH_ME.resolve("cairn-$IDENTITY")}", checksum)
            }
        shared.delete(save.resolve(SaveNames.MANIFEST))
        shared.create(save.resolve(SaveNames.NEW_MANIFEST)).close()
        note(save, places)
        shared.writeNew(save.resolve(SaveNames.SEAL), manifest)
    }

    /** Both hosts get a copy of the file of the other one. */
    fun copy(number: Int, store: Path = HEAT) {
        val save = store.resolve(SaveNames.directory(number))
        val own =
            on[0].read(save.resolve(SaveNames.HOSTS)).let {
                Charsets.UTF_8
                    .decode(it)
                    .lines()
                    .mapNotNull(HostPlace::parse)
            }
        own.zip(listOf(1, 0)).forEach { (place, other) ->
            val part = partOf(number, place.file)
            on[other].files.writeNew(part, on[1 - other].read(part).array())
        }
        note(
            save,
            own +
                own.map {
                    HostPlace(
                        it.file,
                        it.place.replace(
                            it.host,
                            if (it.host ==
                                "node0"
                            ) {
                                "node1"
                            } else {
                                "node0"
                            },
                        ),
                        it.checksum,
                    )
                },
        )
    }

    private fun note(save: Path, places: List<HostPlace>) {
        on[0].files.deleteIfThere(save.resolve(SaveNames.HOSTS))
        on[0].files.writeNew(
            save.resolve(SaveNames.HOSTS),
            SealedPlaces.noteOf(places),
        )
    }

    fun partOf(number: Int, name: String): Path =
        SCRATCH_ME.resolve("cairn-$IDENTITY").resolve(SaveNames.directory(number)).resolve(name)

    /** Calls `cairn drain` on a host. */
    fun drain(host: Int, vararg arguments: String): CommandRun =
        on[host].cairn("drain", "heat.cairn", "--local", "$SCRATCH_ME", *arguments)
}

private fun BlockStore.makeAll(directory: Path) {
    if (exists(directory)) return
    makeAll(directory.parent)
    makeDirectory(directory)
}

/** Of META1 and META2 of one physical file. */
private fun BlockStore.metaChecksum(file: Path): Int {
    val bytes = HeatCheckpoints(this).read(file)
    val crc = CRC32C()

    fun add(from: Long, until: Long) = crc.update(ByteBuffer.wrap(bytes.array(), from.toInt(), (until - from).toInt()))
    Multifile.openFile(this, file).use {
        val meta = it.files().single()
        add(0, meta.metaOneSize())
        add(meta.metaTwoStart(), bytes.limit().toLong())
    }
    return crc.value.toInt()
}
