package dev.cairn

import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import java.lang.reflect.Proxy
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong

/** Counts the bytes of data that are read. */
internal class ReadBytes(files: BlockStore) : ForwardingStore(files) {
    val byteCount = AtomicLong()

    override fun onOperation(operation: BlockStore.Operation) {
        val isData = "${operation.path().fileName}".startsWith("data")
        if (operation.kind() == BlockStore.Operation.Kind.READ && isData) byteCount.addAndGet(operation.length())
    }
}

internal fun manifestOf(files: BlockStore, directory: Path, save: Int): Manifest =
    ManifestFormat.read(files, directory.resolve(SaveNames.directory(save)).resolve("manifest.json")).manifest

/** A place for declarations that need no ranks. */
internal fun stateBuilder(): StateBuilder {
    val type = Communicator::class.java
    val none = Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, called, _ -> error("no ranks: $called") }
    return StateBuilder(Declarations(CheckpointOptions.DEFAULT, none as Communicator, FileBlockStore()))
}
