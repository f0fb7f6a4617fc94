package dev.cairn.node

import dev.cairn.checkpoint.FramePool
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Flaw
import dev.cairn.store.Manifest
import dev.cairn.store.SaveNames
import dev.cairn.store.SealedPlaces
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * Brings files of the sealed save of [manifest] from one host into its [directory] in the store that all ranks share, for a restart and
 * for `cairn drain` alike: no file counts as drained by its name alone.
 *
 * @param saves what the host holds; null without the setting `local`
 * @param pause is called before each frame
 */
internal class PartDrain(
    private val files: BlockStore,
    private val directory: Path,
    private val manifest: Manifest,
    private val saves: LocalSaves?,
    private val pool: FramePool,
    private val durability: ForcePolicy,
    private val pause: suspend () -> Unit,
) {
    /** Drains the [part], or verifies it if it is in the shared store. Returns its flaw; null if it has none. */
    suspend fun flawOf(part: SealedPart): PartFlaw? {
        val target = directory.resolve(part.file)
        val source = if (part.isDrained) target else checkNotNull(saves).file(manifest.save, part.file)
        val draining =
            Draining(files, source, manifest, part.checksum, pool, durability, { isNoteWrong(part.file, it) }) {
                pause()
            }
        try {
            if (part.isDrained) draining.verify() else draining.copyTo(target)
            return null
        } catch (failure: Exception) {
            val flaw = Flaw.of(failure) ?: throw failure
            return PartFlaw(flaw, failure.message.toString().removeSuffix("."))
        }
    }

    private fun isNoteWrong(file: String, checksum: Int): Boolean {
        if (!SealedPlaces.read(files, directory, manifest).isWholeWith(file, checksum)) return false
        LOG.log(
            WARNING,
            "$directory: its file '${SaveNames.HOSTS}' is damaged where it gives $file a checksum: it is whole with " +
                "that of the file, which is taken",
        )
        return true
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(PartDrain::class.java.name)
    }
}
