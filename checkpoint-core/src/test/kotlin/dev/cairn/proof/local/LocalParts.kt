package dev.cairn.proof.local

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.HostPlace
import dev.cairn.store.SaveNames
import dev.cairn.store.SealedPlaces
import dev.cairn.store.writeNew
import java.nio.ByteBuffer
import java.nio.file.Path

// What may become of the parts of a sealed save, each the physical file of one host.

/** The host's own part of save [number]. */
internal fun HostDisks.partOf(host: String, number: Int = 2): Path {
    val name = placesOf(number).first { it.host == host }.file
    return door(host).localPaths().single { it.parent.endsWith(SaveNames.directory(number)) && it.endsWith(name) }
}

internal fun HostDisks.placesOf(number: Int = 2): List<HostPlace> {
    val lines = door(hosts[0]).bytes(DIRECTORY.resolve(SaveNames.directory(number)).resolve(SaveNames.HOSTS))
    return Charsets.UTF_8
        .decode(lines)
        .lines()
        .mapNotNull(HostPlace::parse)
}

/** The host [to] gets a copy of the part of [from], as the note of the save says then. */
internal fun HostDisks.copyPart(from: String, to: String, number: Int = 2) {
    val part = partOf(from, number)
    val neighbour = partOf(to, number)
    door(to).writeNew(neighbour.resolveSibling(part.fileName), door(from).bytes(part).array())
    val own = placesOf(number).first { it.host == from }
    val copy = HostPlace(own.file, own.place.replace(from, to), own.checksum)
    val note = DIRECTORY.resolve(SaveNames.directory(number)).resolve(SaveNames.HOSTS)
    val places = placesOf(number) + copy
    door(from).delete(note)
    door(from).writeNew(note, SealedPlaces.noteOf(places))
}

/** Changes the note of the places of save [number]. */
internal fun HostDisks.rewriteNote(number: Int = 2, change: (String) -> String) {
    val files = door(hosts[0])
    val note = DIRECTORY.resolve(SaveNames.directory(number)).resolve(SaveNames.HOSTS)
    val text = "${Charsets.UTF_8.decode(files.bytes(note))}"
    files.delete(note)
    files.writeNew(note, change(text).encodeToByteArray())
}

/** No host has a copy of the manifest of its save any more. */
internal fun HostDisks.deleteManifests() =
    hosts.forEach { host ->
        val files = door(host)
        files.localPaths().filter { it.endsWith(SaveNames.MANIFEST) }.forEach(files::delete)
    }

/** The part of [host] is in the shared store, too, as if the run had died in the midst of the drain. */
internal fun HostDisks.drainPart(host: String, number: Int = 2): Path {
    val part = partOf(host, number)
    val drained = DIRECTORY.resolve(SaveNames.directory(number)).resolve(part.fileName)
    door(host).writeNew(drained, door(host).bytes(part).array())
    return drained
}

/** Changes one byte in the middle of the data. */
internal fun BlockStore.damage(file: Path) {
    val at = bytes(file).run { (0 until remaining()).filter { get(it) != 0.toByte() }.let { it[it.size / 2] } }.toLong()
    open(file, Access.READ_WRITE).use {
        val byte = ByteBuffer.allocate(1)
        it.readFully(at, byte)
        it.write(at, ByteBuffer.allocate(1).put(0, (byte.get(0) + 1).toByte()))
    }
}
