package dev.cairn.store

import dev.cairn.disk.deleteIfThere
import dev.cairn.disk.firstLine
import dev.cairn.disk.readWhole
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.io.Closeable
import java.net.InetAddress
import java.net.UnknownHostException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.time.Instant
import java.time.temporal.ChronoUnit.SECONDS
import java.util.UUID

/**
 * A program that writes, or wrote, into a store: the text of `owner.json`. [identity] is never given out twice, so it tells
 * two owners apart even if they have all else in common. [heartbeat] is when the program last said that it lives.
 *
 * Moments are whole seconds, so that the text of an owner keeps its length from heartbeat to heartbeat.
 */
@Serializable
internal data class Owner(
    val identity: String,
    val host: String,
    val pid: Long,
    @Serializable(with = InstantText::class) val since: Instant,
    @Serializable(with = InstantText::class) val heartbeat: Instant = since,
) {
    init {
        require(
            since.nano == 0 && heartbeat.nano == 0,
        ) { "an owner counts in whole seconds, not $since and $heartbeat" }
    }

    override fun toString(): String = "process $pid on $host, at work since $since, last heard of at $heartbeat"

    companion object {
        /** This process, on the machine where it really runs, on whatever host its ranks pretend to be. */
        fun here(now: Instant): Owner = here(machineName(), now)

        private fun machineName(): String =
            try {
                InetAddress.getLocalHost().hostName
            } catch (_: UnknownHostException) {
                // Better to be taken for a stranger here than for a process of another machine without a name.
                "nameless-${UUID.randomUUID()}"
            }

        /** This process, which runs on [host]. */
        fun here(
            host: String,
            now: Instant,
        ): Owner = Owner(UUID.randomUUID().toString(), host, ProcessHandle.current().pid(), now.truncatedTo(SECONDS))
    }
}

/**
 * Whether it seems to be at work at [now], as far as a program on [host] can tell: a process that was killed leaves its note, and
 * its heartbeat stops.
 */
internal fun Owner.isAtWork(
    host: String,
    now: Instant,
): Boolean = now < heartbeat + Takeover.IfDead().silence && (this.host != host || ProcessHandle.of(pid).isPresent)

/** What the store says of its owner. */
internal sealed interface OwnerNote {
    /** It has no owner: its last owner ended in order, or it never had one. */
    data object Nobody : OwnerNote {
        override fun toString(): String = "nobody"
    }

    data class Known(
        val owner: Owner,
    ) : OwnerNote {
        override fun toString(): String = owner.toString()
    }

    /** No crash leaves such a note, since it is replaced in one step; something else has damaged it. */
    data class Unreadable(
        val reason: String,
    ) : OwnerNote {
        override fun toString(): String = "an owner whose name cannot be read ($reason)"
    }
}

/** The note's file. It is not the locked file itself: replacing that one would leave the lock behind on the old file. */
internal class OwnerFile(
    private val files: BlockStore,
    private val directory: Path,
) {
    val path: Path = directory.resolve(SaveNames.OWNER)

    val isDirectoryThere: Boolean get() = files.exists(directory)

    fun read(): OwnerNote {
        val bytes =
            try {
                files.readWhole(path, MOST_BYTES)
            } catch (_: NoSuchFileException) {
                return OwnerNote.Nobody
            }
        if (bytes == null) return OwnerNote.Unreadable("it has more than $MOST_BYTES bytes")
        return try {
            OwnerNote.Known(json.decodeFromString(Owner.serializer(), bytes.decodeToString()))
        } catch (unfit: IllegalArgumentException) {
            OwnerNote.Unreadable(unfit.firstLine())
        }
    }

    /** Puts up this owner's note in place of any other, in one step and durably. */
    fun place(owner: Owner): PlacedNote {
        val prepared = directory.resolve(SaveNames.newOwner(owner.identity))
        val file = files.create(prepared)
        try {
            file.write(0, ByteBuffer.wrap(textOf(owner)))
            file.force()
            files.rename(prepared, path)
            files.forceDirectory(directory)
            return PlacedNote(file, owner)
        } catch (failure: Throwable) {
            file.use { throw failure }
        }
    }

    fun clear() {
        if (files.deleteIfThere(path)) files.forceDirectory(directory)
    }

    companion object {
        private const val MOST_BYTES = 1 shl 16

        private val json =
            Json {
                prettyPrint = true
                encodeDefaults = true
                ignoreUnknownKeys = true
            }

        fun textOf(owner: Owner): ByteArray = json.encodeToString(Owner.serializer(), owner).encodeToByteArray()
    }
}

/**
 * A note that was put up, kept open. Its heartbeats go into this very file, in place: once another note has taken its name,
 * they reach nobody, so an owner that wakes up late cannot undo a takeover. They need no force: only the living are asked, and
 * the text fits into one sector of a disk.
 */
internal class PlacedNote(
    private val file: BlockFile,
    val owner: Owner,
) : Closeable by file {
    fun beat(now: Instant) =
        file.write(0, ByteBuffer.wrap(OwnerFile.textOf(owner.copy(heartbeat = now.truncatedTo(SECONDS)))))
}
