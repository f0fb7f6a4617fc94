package dev.cairn.node

import dev.cairn.multifile.noRoom
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.Structure
import dev.cairn.ranks.optional
import dev.cairn.ranks.text
import java.nio.file.Path

/**
 * The room for a save on one host.
 *
 * @property place the directory of its saves
 * @property byteCount the bytes left; null if the file system does not report them
 * @property limit the total that the program's saves may take; null if they have no limit
 */
internal class HostRoom(private val place: String, private val byteCount: Long?, private val limit: Long?) {
    /** Throws if a save of at least [needed] bytes does not fit on this [host]. */
    fun require(needed: Long, host: String) {
        if (byteCount == null || byteCount >= needed) return
        val (reason, advice) =
            if (limit == null) {
                "the file system reports $byteCount bytes" to "Make room there"
            } else {
                "local-limit is $limit, of which $byteCount bytes are left" to "Raise local-limit, or lower local-keep"
            }
        throw noRoom(
            Path.of(place),
            "$place on $host: the save needs $needed bytes or more, but $reason. $advice.",
        )
    }

    companion object {
        /** The room reported by a rank that is no keeper. */
        val NONE = HostRoom("", null, null)

        /**
         * @param free the free bytes of the file system; 0 if it does not report them
         * @param held the bytes of saves that the host holds
         */
        fun of(place: String, free: Long, held: Long, limit: Long?): HostRoom {
            val left = limit?.let { maxOf(it - held, 0) }
            return if (left != null && (free == 0L || left <= free)) {
                HostRoom(place, left, limit)
            } else {
                HostRoom(place, free.takeIf { it > 0 }, limit = null)
            }
        }

        private val BYTE_COUNT = Structure(0L) { u64(it) }

        val MESSAGE =
            MessageFields("the room on a host", NONE) {
                HostRoom(text(it.place), optional(it.byteCount, BYTE_COUNT), optional(it.limit, BYTE_COUNT))
            }
    }
}
