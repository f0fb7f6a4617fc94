package dev.cairn.disk

import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** Where [path] leads, with all links followed that can be: its last names, or the target of a link, may not exist yet. */
internal fun BlockStore.realPath(path: Path): Path {
    val whole = path.toAbsolutePath()
    val parent = whole.parent ?: return whole
    val place = realPath(parent).resolve(whole.fileName).normalize()
    return try {
        followed(place)
    } catch (missing: NoSuchFileException) {
        missing.otherFile?.let { realPath(place.resolveSibling(it)) } ?: place
    } catch (_: IOException) {
        place
    }
}
