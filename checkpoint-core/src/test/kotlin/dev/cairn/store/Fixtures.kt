package dev.cairn.store

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.io.IOException
import java.nio.file.Path
import java.security.MessageDigest
import java.time.Clock
import java.time.Instant
import java.time.ZoneOffset
import java.util.HexFormat

val PARENT: Path = Path.of("/run")

val DIRECTORY: Path = PARENT.resolve("heat.cairn")

val NOON: Instant = Instant.parse("2025-01-31T12:00:00Z")

val noonClock: Clock = Clock.fixed(NOON, ZoneOffset.UTC)

/** A disk on which the parent of the store is there to stay. */
fun SimulatedDisk.withParent(): SimulatedDisk =
    apply {
        host("node0").makeDirectory(PARENT)
        host("node0").forceDirectory(Path.of("/"))
    }

/** The data of these saves are no multifiles, so their copy of the manifest is the formula that the manifest was made of. */
internal fun BlockStore.checkpoints() =
    CheckpointStore(this, DIRECTORY) { data ->
        open(data, Access.READ).close()
        val number = data.parent.name.toInt()
        val manifest = manifest(number, (number - 1).takeIf { it > 0 })
        ManifestFormat.decode(data, ManifestFormat.encode(manifest))
    }

internal fun owner(identity: String, host: String = "node0") = Owner(identity, host, pid = 4711, since = NOON)

internal fun BlockStore.own(
    identity: String,
    host: String = "node0",
    takeover: Takeover = Takeover.Asked,
): OwnedStore = checkpoints().own(owner(identity, host), noonClock, takeover)

internal fun manifest(save: Int, parent: Int? = null) =
    Manifest(
        run = "heat-7f3a",
        parent = parent,
        save = save,
        step = 100L * save,
        phase = "main",
        rankCount = 4,
        time = NOON,
        contents = "0123456789abcdef".repeat(4),
        items =
            listOf(
                ManifestItem(
                    "temperature",
                    "field",
                    "float64",
                    listOf(300, 200),
                    60_000,
                    480_000,
                    "feed".repeat(8),
                    mapOf("blocks" to "2 x 2"),
                ),
                ManifestItem("time", "replicated", "float64", emptyList(), 1, 8, "beef".repeat(8)),
            ),
        provenance = mapOf("program" to "heat", "host" to "node0", "java" to "17", "cairn" to "0.1.0"),
        hints = DataHints("data.sion", 2, 2L * DATA_BYTES),
    )

private const val DATA_BYTES = 1500

/** Each file of a save, by name, tells by every byte which save it belongs to. */
private fun dataOf(save: Int): Map<String, ByteArray> =
    mapOf(
        "data.sion" to pattern(2 * save, DATA_BYTES),
        "data.sion.000001" to pattern(2 * save + 1, DATA_BYTES),
    )

/** Writes what a saver's ranks would: the hosts share the files, all write before the first one forces. */
internal fun SaveDirectory.writeData(vararg hosts: BlockStore) {
    val parts =
        dataOf(number).entries.mapIndexed {
            index,
            (name, bytes),
            ->
            Part(hosts[index % hosts.size], name, bytes)
        }
    val files = parts.map { it.host.create(path.resolve(it.name)) }
    try {
        parts.zip(files) { part, file -> file.write(0, part.bytes.copyOf(DATA_BYTES / 2)) }
        parts.zip(
            files,
        ) { part, file -> file.write(DATA_BYTES / 2L, part.bytes.copyOfRange(DATA_BYTES / 2, DATA_BYTES)) }
        files.forEach(BlockFile::force)
    } finally {
        files.forEach(BlockFile::close)
    }
    hosts.forEach { it.forceDirectory(path) }
}

private class Part(val host: BlockStore, val name: String, val bytes: ByteArray)

internal fun SaveDirectory.commit(manifest: Manifest): StoredManifest = ManifestFormat.toStore(manifest).also(::commit)

/** One whole save by [host]; returns its number. */
internal fun OwnedStore.save(
    host: BlockStore,
    parent: (number: Int) -> Int? = { (it - 1).takeIf { before -> before > 0 } },
): Int {
    val save = begin()
    save.writeData(host)
    save.commit(manifest(save.number, parent(save.number)))
    return save.number
}

/** Changes the manifest [file] into one whose digest is right, and whose content is what [change] makes of it. */
internal fun rewriteManifest(files: BlockStore, file: Path, change: (String) -> String) {
    val head =
        files
            .open(file, Access.READ)
            .use { it.content() }
            .decodeToString()
            .substringBeforeLast("    \"digest\"")
    val changed = change(head)
    val digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(changed.encodeToByteArray()))
    files.delete(file)
    files.create(file).use { it.write(0, "$changed    \"digest\": \"$digest\"\n}\n".encodeToByteArray()) }
}

/** Re-reads every byte of a candidate's data. */
internal fun wholeData(files: BlockStore) =
    Inspection { candidate ->
        dataOf(candidate.number).forEach { (name, bytes) ->
            val file = candidate.path.resolve(name)
            val found = files.open(file, Access.READ).use { it.content() }
            if (!found.contentEquals(bytes)) throw IOException("$file: not the bytes of save ${candidate.number}")
        }
    }

/** Looks for the newest good checkpoint in the store as it is now. */
internal fun CheckpointStore.discover(inspection: Inspection): Discovery = discover(survey(), inspection)

/** The number of the checkpoint that a program would restore; 0 to start fresh, -1 to stop. */
internal fun found(files: BlockStore): Int =
    when (val discovery = files.checkpoints().discover(wholeData(files))) {
        is Discovery.None -> 0
        is Discovery.Good -> discovery.newest.number
        is Discovery.NoneGood -> -1
    }
