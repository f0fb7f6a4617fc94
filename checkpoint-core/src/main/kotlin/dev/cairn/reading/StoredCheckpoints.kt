package dev.cairn.reading

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoint.missingData
import dev.cairn.event.CheckpointException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.Candidate
import dev.cairn.store.Entry
import dev.cairn.store.Inspection
import dev.cairn.store.SaveNames
import dev.cairn.store.Survey
import dev.cairn.store.Verdict
import dev.cairn.store.goodOrNull
import dev.cairn.store.name
import dev.cairn.store.noSuchCheckpoint
import dev.cairn.store.numbered
import dev.cairn.store.observe
import dev.cairn.store.requireUnchanged
import dev.cairn.store.save
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * A directory of checkpoints, for programs that only read it: without ranks, without a lock, and without the program that saved
 * them, which may still be running.
 *
 * ```
 * StoredCheckpoints(Path.of("heat.cairn")).openNewest().use { it.field("u").read<DoubleArray>() }
 * ```
 *
 * It has no open files and no cache. Any thread may call it.
 */
public class StoredCheckpoints
    @JvmOverloads
    constructor(
        /** The directory of the checkpoints. */
        @get:JvmName("directory") public val directory: Path,
        private val files: BlockStore = FileBlockStore(),
    ) {
        private val store = checkpointStore(files, directory)

        /** All saves, oldest first. Reads only names and manifests, and so is fast; [verify] reads the data. */
        @Throws(IOException::class)
        public fun saves(): List<StoredSave> = saves(::requireData)

        /** Opens the newest good checkpoint, which a restart would take. The caller closes it. */
        @Throws(IOException::class)
        public fun openNewest(): StoredCheckpoint {
            requireDirectory()
            return store.observe { files.openCheckpoint(newest(it)) }
        }

        /** Opens the checkpoint [number]. The caller closes it. */
        @Throws(IOException::class)
        public fun open(number: Int): StoredCheckpoint = withSave(number) { files.openCheckpoint(store.read(it)) }

        /** Opens the newest good checkpoint of [step]. The caller closes it. */
        @Throws(IOException::class)
        public fun openStep(step: Long): StoredCheckpoint {
            val saves =
                saves {
                    requireData(it)
                    if (it.manifest.step == step) files.requireIndex(it)
                }
            val good = saves.filterIsInstance<StoredSave.Good>()
            val newest = good.lastOrNull { it.step == step } ?: throw noSuchStep(step, saves)
            return open(newest.number)
        }

        /**
         * Reads all bytes of the checkpoint [number], and compares them with its manifest and its tables of contents.
         *
         * @return a sentence for each error, at most one for each rank and each item; none if it is good
         */
        @Throws(IOException::class)
        public fun verify(number: Int): List<String> =
            withSave(number, isSure = { it.isEmpty() }) { save ->
                when (val verdict = store.judge(save) {}) {
                    is Verdict.Accepted -> files.verify(verdict.candidate)
                    is Verdict.Rejected -> listOf(verdict.reason)
                    is Verdict.Unsupported -> throw verdict.failure
                }
            }

        override fun toString(): String = "$directory"

        /** The checkpoint [number], or the newest good one for null, with its manifest. */
        internal fun candidate(number: Int?): Candidate {
            if (number != null) return withSave(number) { store.read(it) }
            requireDirectory()
            return store.observe(look = ::newest)
        }

        /** All saves, each with the verdict of [inspection]. */
        internal fun saves(inspection: Inspection): List<StoredSave> {
            requireDirectory()
            return store.observe(isSure = { saves -> saves.any { it is StoredSave.Good } }) { survey ->
                saves(survey, inspection)
            }
        }

        /**
         * As above, in a [survey] that was made before. Saves that were deleted since then are left out, and those that were committed are
         * good.
         */
        internal fun saves(survey: Survey, inspection: Inspection): List<StoredSave> =
            survey.entries.filterIsInstance<Entry.Numbered>().mapNotNull { entry ->
                store.observe(entry, isSure = { !it.isBad }) { look(it, inspection) }
            }

        /** The save [number], which is or was a checkpoint; nothing but its manifest is read. */
        internal fun save(number: Int): StoredSave {
            requireDirectory()
            val seen = store.observe(store.numbered(number), isSure = { !it.isBad }) { look(it) {} }
            if (seen?.isBad == true) return seen
            // What is no checkpoint is refused in a sentence of its own.
            return withSave(number, isSure = { !it.isBad }) { look(it) {} }
        }

        /** What [read] finds in the save [number]. A result that is not [isSure], and a failure, count only if the save is still there. */
        private fun <T : Any> withSave(number: Int, isSure: (T) -> Boolean = { true }, read: (Entry.Save) -> T): T {
            requireDirectory()
            val save = store.save(number)
            return store.observe(save, isSure) { if (it is Entry.Save) read(it) else throw deleted(save) }
                ?: throw deleted(save)
        }

        private fun newest(survey: Survey): Candidate {
            val good =
                store.discover(survey) { files.requireIndex(it) }.goodOrNull(directory)
                    ?: throw noSuchCheckpoint(directory, "$directory: it holds no checkpoint.")
            if (good.rejected.isNotEmpty()) store.requireUnchanged(survey)
            return good.newest
        }

        private fun look(entry: Entry.Numbered, inspection: Inspection): StoredSave {
            val verdict = if (entry is Entry.Sealed) store.judge(entry) else store.judge(entry, inspection)
            return storedSave(entry, verdict)
        }

        private fun deleted(save: Entry.Save) =
            noSuchCheckpoint(save.path, "${save.path}: it was deleted while it was read.")

        /**
         * A quick check compares the number of files with that in the manifest. If they differ, the index is read.
         */
        private fun requireData(candidate: Candidate) {
            val names = files.list(candidate.path).map { it.name }
            if (SaveNames.DATA !in names) throw missingData(candidate.data)
            val fileCount = names.count { SaveNames.isOriginal(it) }
            if (fileCount != candidate.manifest.hints.fileCount) files.requireIndex(candidate)
        }

        private fun requireDirectory() {
            if (files.exists(directory)) return
            throw NoSuchFileException("$directory", null, "there is no such directory of checkpoints. Check the name.")
        }

        private fun noSuchStep(step: Long, saves: List<StoredSave>): CheckpointException {
            val steps = saves.filterIsInstance<StoredSave.Good>().map { it.step }.distinct()
            val others = if (steps.isEmpty()) "" else ", but of step ${steps.joinToString()}"
            val flaws = saves.filterIsInstance<StoredSave.Damaged>().joinToString("") { " ${it.reason}" }
            return noSuchCheckpoint(directory, "$directory: it holds no good checkpoint of step $step$others.$flaws")
        }
    }
