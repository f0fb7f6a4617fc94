package dev.cairn.run

import dev.cairn.event.phrase
import dev.cairn.item.SaveMarks
import dev.cairn.item.SavedMark
import dev.cairn.item.isSame
import dev.cairn.item.sizeOf
import dev.cairn.reading.outputMarks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Cleanup
import dev.cairn.store.Entry
import dev.cairn.store.Leftover
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.firstLine
import dev.cairn.store.inform
import dev.cairn.store.name
import dev.cairn.store.readWhole
import dev.cairn.store.replace
import kotlinx.serialization.json.Json
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * The file `kept-outputs.json` of a [store]: the files of outputs that were kept for its saves, of which it may delete some. Whether it
 * does is decided by what lies on the disk [at that time][release].
 */
internal class KeptOutputs(
    private val files: BlockStore,
    private val store: CheckpointStore,
    private val requireHeld: () -> Unit = {},
) {
    private val file = store.directory.resolve(SaveNames.KEPT_OUTPUTS)

    /** A store that was copied or moved leaves the files to the one in the former place, which may still need them. */
    private val place get() = "${files.realPath(store.directory)}"

    /**
     * Durable before [output] is renamed to [kept], which the save [number] with these [marks] may need. A program goes on without a record
     * that cannot be made: the file stays then.
     */
    fun record(output: Path, kept: Path, number: Int, marks: SaveMarks?) {
        try {
            val size = files.sizeOf(output)
            val isCovered = marks != null && marks.inFiles(files, null).any { it.length == size && it.fits(output) }
            // A link keeps its name; those above it are followed.
            val name = files.realPath(kept.toAbsolutePath().parent).resolve(kept.name)
            val mark = if (isCovered) KeptOutput.markOf(files, output) else null
            val others = recorded().filterNot { it.file == "$name" && it.store == place }
            write(others + KeptOutput("$name", number, place, mark))
        } catch (failure: IOException) {
            LOG.log(WARNING, "$kept: it has no record in $file, and stays until you delete it: ${failure.phrase()}")
        }
    }

    /** The recorded files that are there. */
    fun present(): List<KeptOutput> = recorded().filter { it.store == place && files.exists(it.path) }

    /** Whether [kept] is one of them. */
    fun has(kept: Path): Boolean = present().any { files.realPath(it.path) == files.realPath(kept.toAbsolutePath()) }

    /**
     * Deletes each file whose save is gone for good, as [look] shows, if it is just what that save has covered, and if no other save
     * [needs it][isNeeded].
     */
    fun release(look: () -> List<Entry.Numbered>) {
        val (all, present) = recorded() to look()
        val over = all.filter { kept -> kept.store == place && present.none { it.number == kept.number } }
        if (over.isEmpty()) return
        // A save that was deleted by hand may otherwise be back after a power failure.
        files.forceDirectory(store.directory)
        val marks = present.map { store.outputMarks(files, it) }
        var failure: IOException? = null
        val settled =
            over.filter { kept ->
                try {
                    isSettled(kept, marks)
                } catch (ofThisOne: IOException) {
                    failure = ofThisOne
                    false
                }
            }
        if (settled.isNotEmpty()) write(all - settled.toSet())
        failure?.let { throw it }
    }

    /** Deletes [kept] if it may be. Returns whether it is dealt with for good. */
    private fun isSettled(kept: KeptOutput, marks: List<SaveMarks?>): Boolean {
        // A disk that is not there may come back with the file.
        if (!files.exists(kept.path)) return files.exists(kept.path.parent)
        if (null in marks || isNeeded(kept, marks.filterNotNull())) return false
        settle(kept)
        return true
    }

    /**
     * Whether one of the [saves] could be restored from [kept], and not from what the output still has after a restart of the newest one.
     * Marks digest the ends alone, so the bytes are compared.
     */
    private fun isNeeded(kept: KeptOutput, saves: List<SaveMarks>): Boolean {
        val served = saves.flatMap { it.inFiles(files, null) }.filter { it.length > 0 && it.fits(kept.path) }
        val needed = served.maxOfOrNull { it.length } ?: return false
        if (!files.exists(kept.output) || served.any { !it.fits(kept.output) }) return true
        val newest = saves.maxBy { it.number }.inFiles(files, null).filter { it.length > 0 && it.fits(kept.output) }
        // Without its name, any of these may be the mark of this output.
        val staying = newest.minOfOrNull { it.length } ?: 0
        return needed > staying || !files.isSame(kept.path, kept.output, needed)
    }

    private fun SavedMark.fits(file: Path) = difference(file) == null

    private fun settle(kept: KeptOutput) {
        if (!kept.isJustThat(files)) {
            val reason = "it was kept for save ${kept.number}, which is gone, but may have bytes that no save covered"
            return LOG.log(WARNING, "${kept.path}: $reason. It stays until you delete it")
        }
        if (files.exists(kept.output)) files.open(kept.output, Access.READ_WRITE).use { it.force() }
        files.forceDirectory(kept.path.parent)
        requireHeld()
        files.delete(kept.path)
        files.forceDirectory(kept.path.parent)
        LOG.inform(files, "${kept.path}: deleted, since save ${kept.number} is gone, and no other save needs it")
    }

    private fun recorded(): List<KeptOutput> {
        if (!files.exists(file)) return emptyList()
        try {
            val bytes = requireNotNull(files.readWhole(file, MOST_BYTES)) { "it has more than $MOST_BYTES bytes" }
            return JSON.decodeFromString(bytes.decodeToString())
        } catch (unfit: IllegalArgumentException) {
            throw IOException("$file: it should list files of outputs, and does not: ${unfit.firstLine()}")
        }
    }

    private fun write(all: List<KeptOutput>) {
        val bytes = JSON.encodeToString(all).encodeToByteArray()
        files.replace(file, store.directory.resolve(SaveNames.NEW_KEPT_OUTPUTS), bytes, requireHeld)
        if (all.isEmpty()) files.delete(file)
    }

    private companion object {
        const val MOST_BYTES = 1 shl 20

        val JSON =
            Json {
                prettyPrint = true
                ignoreUnknownKeys = true
            }

        val LOG: System.Logger = System.getLogger(KeptOutputs::class.java.name)
    }
}

/** Deletes the outputs that were kept for saves which are gone, and which no other save needs. */
internal fun OwnedStore.releaseOutputs(files: BlockStore): Cleanup =
    try {
        KeptOutputs(files, store, ::requireHeld).release(::present)
        Cleanup.NOTHING
    } catch (failure: IOException) {
        val reason = "an output that was kept could not be deleted, tried again next time: ${failure.phrase()}"
        Cleanup(emptyList(), listOf(Leftover(store.directory, "${store.directory}: $reason")))
    }
