package dev.cairn.store

import dev.cairn.ranks.machineName
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.io.Closeable
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.NotDirectoryException
import java.nio.file.Path
import java.time.Instant
import java.time.temporal.ChronoUnit.SECONDS
import java.util.UUID

/**
 * A program that writes, or wrote, into a store: the text of `owner.json`. [identity] is unique, so it distinguishes
 * two owners that agree in all other fields. [heartbeat] is the time of the last heartbeat.
 *
 * Times are whole seconds, so that the text of an owner keeps its length from heartbeat to heartbeat.
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

    /** Whether it may be this process: no other on this host has its number. */
    val isHere: Boolean get() = pid == ProcessHandle.current().pid()

    /**
     * Whether the process of this host with its number may be that owner: it began before, and is no other one that got the number
     * later. A process that has ended, and that its parent has not asked for, has no command.
     */
    val isRunning: Boolean
        get() {
            val process = ProcessHandle.of(pid).map { it.info() }.orElse(null) ?: return false
            val began = process.startInstant().orElse(null) ?: return false
            return began < since.plusSeconds(1) && process.command().isPresent
        }

    /** The content of a file that asks this owner for something, and no other. */
    val request: String get() = "$REQUEST$identity"

    override fun toString(): String = "process $pid on $host, running since $since, last heard of at $heartbeat"

    companion object {
        const val REQUEST = "for "

        /** This process, on the real machine, independently of simulated hosts of its ranks. */
        fun here(now: Instant): Owner = here(machineName ?: "nameless-${UUID.randomUUID()}", now)

        /** This process, which runs on [host]. */
        fun here(host: String, now: Instant): Owner =
            Owner(UUID.randomUUID().toString(), host, ProcessHandle.current().pid(), now.truncatedTo(SECONDS))
    }
}

/**
 * Whether it may be running, as seen from [host] at one look: a killed process leaves its note. Of one on another host, only
 * [longer looks][Takeover.IfDead] can tell, since the clocks of two hosts may differ.
 */
internal fun Owner.isAtWork(host: String, now: Instant): Boolean =
    this.host != host || (now < heartbeat + Takeover.IfDead().silence && isRunning)

/** The owner of a store, according to its note. */
internal sealed interface OwnerNote {
    /** There is no owner: the last one released the store, or there never was one. */
    data object None : OwnerNote {
        override fun toString(): String = "no owner"
    }

    data class Known(val owner: Owner) : OwnerNote {
        override fun toString(): String = owner.toString()
    }

    /**
     * The note is unreadable. No crash causes this, since the note is replaced atomically; it was damaged otherwise.
     */
    data class Unreadable(val reason: String) : OwnerNote {
        override fun toString(): String = "an owner whose note cannot be read ($reason)"
    }
}

/** The note's file. It is not the locked file itself: replacing that one would leave the lock behind on the old file. */
internal class OwnerFile(private val files: BlockStore, private val directory: Path) {
    val path: Path = directory.resolve(SaveNames.OWNER)

    /** What was read last: a save reads the note several times, and finds the same bytes. */
    @Volatile private var last: ReadNote? = null

    /** Not if a file has its name. */
    val isDirectoryThere: Boolean
        get() =
            try {
                files.list(directory)
                true
            } catch (_: NoSuchFileException) {
                false
            } catch (_: NotDirectoryException) {
                false
            }

    fun read(): OwnerNote {
        val bytes =
            try {
                files.readWhole(path, MOST_BYTES)
            } catch (_: NoSuchFileException) {
                return OwnerNote.None
            } catch (_: NotDirectoryException) {
                return OwnerNote.None
            }
        if (bytes == null) return OwnerNote.Unreadable("it has more than $MOST_BYTES bytes")
        return last?.takeIf { it.bytes.contentEquals(bytes) }?.note ?: parsed(bytes).also { last = ReadNote(bytes, it) }
    }

    private fun parsed(bytes: ByteArray): OwnerNote =
        try {
            OwnerNote.Known(json.decodeFromString(Owner.serializer(), bytes.decodeToString()))
        } catch (unfit: IllegalArgumentException) {
            OwnerNote.Unreadable(unfit.firstLine())
        }

    private class ReadNote(val bytes: ByteArray, val note: OwnerNote)

    /** Replaces any other note by this owner's, atomically and durably. */
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
 * This owner's note, kept open. Heartbeats are written into this file, in place: once another note has taken its name,
 * they have no effect, so an owner that wakes up late cannot undo a takeover. They need no force: they matter only
 * while the process runs, and the text fits into one sector of a disk.
 */
internal class PlacedNote(private val file: BlockFile, val owner: Owner) : Closeable by file {
    fun beat(now: Instant) =
        file.write(0, ByteBuffer.wrap(OwnerFile.textOf(owner.copy(heartbeat = now.truncatedTo(SECONDS)))))
}
