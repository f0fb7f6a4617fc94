package dev.cairn.item

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.sentence
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.OpenedHere
import dev.cairn.store.Owner
import dev.cairn.store.callingLine
import dev.cairn.store.deleteIfThere
import dev.cairn.store.inform
import dev.cairn.store.readWhole
import java.io.Closeable
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.FileAlreadyExistsException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.time.Clock

/**
 * On rank 0: keeps other programs from writing [output] while this one does. The operating system's lock on the file `OUTPUT.lock` says
 * that its holder is alive, and the text in that file names the holder. A killed program leaves the file, but not the lock.
 *
 * On a file system without locks, or where the lock file cannot be made, it says so and does nothing.
 */
internal class OutputLock(private val files: BlockStore, private val output: Path) : Closeable {
    private val path by lazy { lockFileOf(files.realPath(output)) }
    private val holder = Owner.here(Clock.systemUTC().instant())
    private val note = "process ${holder.pid} on ${holder.host}, running since ${holder.since}\n${holder.identity}\n"
    private val line = callingLine()
    private var held: BlockFile? = null

    /** Fails with [InUse] if another program has the lock. */
    fun take(owner: OutputOwner) {
        if (held != null) return
        try {
            held = taken(owner)
            OpenedHere.add(holder.identity, line)
        } catch (failure: IOException) {
            LOG.inform(files, "$output: another program that writes it would not be refused: ${failure.sentence()}")
        }
    }

    /**
     * Makes the lock file again if it was deleted while the program runs. Fails with [InUse] if another program has made its own since.
     */
    fun requireHeld(owner: OutputOwner) {
        val former = held ?: return
        if (isNamed()) return
        owner.requireHeld()
        held = taken(OutputOwner.NoStore)
        former.close()
        LOG.log(WARNING, "$path: the lock file was deleted while this program writes $output, and was made again")
    }

    private fun taken(owner: OutputOwner): BlockFile {
        while (true) {
            val file = lock(owner)
            if (isNamed()) return file
            file.close()
        }
    }

    private fun lock(owner: OutputOwner): BlockFile {
        val file = openOrCreate()
        try {
            if (file.tryLock()) return file.also(::describe)
            // The former owner of the store may be stopped, and is fenced there.
            if (owner.mayBeShared) return file.use { replacement() }
            throw refusal(noteInFile()?.lines().orEmpty())
        } catch (failure: Throwable) {
            file.use { throw failure }
        }
    }

    private fun refusal(note: List<String>): InUse {
        val here = note.getOrNull(1)?.let(OpenedHere::lineOf)
        val remedy = if (here == null) "Wait until it has ended" else "Close the checkpoints that it belongs to first"
        val who = if (here == null) "another program writes it" else "this program itself writes it already"
        val where = if (here == null) note.firstOrNull() ?: "its note is gone" else "it was declared in $here"
        val flaw = "the output is in use, since $who: $where. $remedy, or declare another file."
        return InUse(Details("$output: $flaw", path = output))
    }

    private fun openOrCreate(): BlockFile =
        try {
            files.create(path)
        } catch (_: FileAlreadyExistsException) {
            files.open(path, Access.READ_WRITE)
        }

    private fun replacement(): BlockFile {
        val prepared = path.resolveSibling("${path.fileName}.${holder.identity}.new")
        val file = files.create(prepared)
        return file.also {
            it.tryLock()
            describe(it)
            files.rename(prepared, path)
        }
    }

    private fun describe(file: BlockFile) {
        val text = note.encodeToByteArray()
        file.resize(text.size.toLong())
        file.write(0, ByteBuffer.wrap(text))
    }

    /** Whether the locked file still has its name: its holder before may have deleted it between the opening and the lock. */
    private fun isNamed() = noteInFile() == note

    private fun noteInFile(): String? =
        try {
            files.readWhole(path, MOST_BYTES)?.decodeToString()
        } catch (_: NoSuchFileException) {
            null
        }

    /** Lets other programs write the output. What fails is left to the next one, as by a program that was killed. */
    override fun close() {
        val file = held ?: return
        held = null
        OpenedHere.remove(holder.identity)
        try {
            file.use { if (isNamed()) files.deleteIfThere(path) }
        } catch (_: IOException) {
            return
        }
    }
}

private const val MOST_BYTES = 4096
private val LOG: System.Logger = System.getLogger(OutputLock::class.java.name)

/** The file that a program keeps locked while it writes [output], which is no link: programs may come to it by different ones. */
internal fun lockFileOf(output: Path): Path = output.resolveSibling("${output.fileName}.lock")
