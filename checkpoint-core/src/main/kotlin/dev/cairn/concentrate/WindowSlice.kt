package dev.cairn.concentrate

/**
 * What one concentrator has of a window, or of a slice of it.
 *
 * @property parts in the order of sub-files and of places in them
 */
internal class WindowSlice(val parts: List<Part>) {
    /** Puts what [request] has of this slice into [extents]. */
    fun list(request: Request, extents: Extents) {
        extents.clear()
        for (part in parts) {
            request.forEachExtent(part.offset, part.end) { offset, length ->
                extents.add(part.subFile, part.local + offset - part.offset, length)
            }
        }
    }

    /** Lets [copyPart] copy between the places of the logical file that this slice has. */
    inline fun copy(copyPart: (from: Long, to: Long) -> Unit) = parts.forEach { copyPart(it.offset, it.end) }

    /** The [length] bytes from [offset] on, which lie at [local] in [subFile]. */
    class Part(val subFile: Int, val local: Long, val offset: Long, val length: Long) {
        val end: Long get() = offset + length
    }
}
