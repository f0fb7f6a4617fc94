package dev.cairn

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong

/** Counts the bytes of data that are read. */
internal class ReadBytes(
    files: BlockStore,
) : ForwardingStore(files) {
    val byteCount = AtomicLong()

    override fun onOperation(operation: Operation) {
        val isData = "${operation.path().fileName}".startsWith("data")
        if (operation.kind() == Operation.Kind.READ && isData) byteCount.addAndGet(operation.length())
    }
}

internal fun manifestOf(
    files: BlockStore,
    directory: Path,
    save: Int,
): Manifest = ManifestFormat.read(files, directory.resolve(SaveNames.directory(save)).resolve("manifest.json")).manifest
