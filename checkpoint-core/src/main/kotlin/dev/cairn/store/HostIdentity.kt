package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import java.nio.file.Path
import java.util.UUID

/** The name under which hosts keep saves of a store, in its file `identity`: the first three parts of a random one. */
internal object HostIdentity {
    private const val LENGTH = 18
    private const val LINE_END = 2
    private val shape = Regex("[0-9a-f-]{$LENGTH}")

    fun random(): String = "${UUID.randomUUID()}".take(LENGTH)

    /**
     * That of the store in [directory]; null if it has none yet, so that no host holds anything of it. People who write the file again may
     * end its line.
     */
    fun read(files: BlockStore, directory: Path): String? {
        val file = directory.resolve(SaveNames.IDENTITY)
        if (!files.exists(file)) return null
        val identity =
            files
                .readWhole(file, LENGTH + LINE_END)
                ?.decodeToString()
                .orEmpty()
                .trimEnd('\r', '\n')
        if (shape.matches(identity)) return identity
        val flaw = "its file '${SaveNames.IDENTITY}' should hold $LENGTH characters, and does not"
        throw storeUnusable(directory, flaw)
    }
}
