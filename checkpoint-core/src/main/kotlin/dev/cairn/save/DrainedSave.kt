package dev.cairn.save

import dev.cairn.reading.requireIndex
import dev.cairn.store.Candidate
import dev.cairn.store.Entry
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames

/**
 * On rank 0, before a drained save is committed: refuses files that are each whole, but do not form one multifile. Reads only meta data
 * and the index; the drain has checked the rest.
 */
internal fun SaveContext.requireDrained(manifest: Manifest) {
    val path = directory.resolve(SaveNames.directory(manifest.save))
    val stored = ManifestFormat.decode(path.resolve(SaveNames.SEAL), ManifestFormat.encode(manifest))
    files.requireIndex(Candidate(Entry.Sealed(manifest.save, path), stored))
}
