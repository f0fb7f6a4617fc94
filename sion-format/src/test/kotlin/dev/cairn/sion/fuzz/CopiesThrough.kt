package dev.cairn.sion.fuzz

import dev.cairn.sion.BuddyView
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import java.nio.ByteBuffer

/** Reads hostile files with the help of hostile copies. */
class CopiesThrough(private val files: HostileFiles) {
    private val bounds = Bounds.ofReading(files.size)
    private val store = HostileStore(files.byPath, bounds)
    private val refusals = Refusals(files)

    /** What came of it, in a word or two. */
    fun run(): String {
        var outcome = LOST
        refusals.of {
            bounds.allocating(BYTES_PER_FILE_BYTE) { BuddyView.open(store, HostileFiles.MULTIFILE) }.use { view ->
                outcome = if (view.replacements().isEmpty()) NOT_NEEDED else RECOVERED
                view.replacements().forEach { refusals.check(it.trouble()) }
                repeat(view.tasks().taskCount()) { bytesOf(view.tasks(), it) }
                if (view.replacements().isEmpty()) refusals.of { compare(view.tasks()) }
            }
        }
        if (store.openCount != 0) throw AssertionError("${store.openCount} files were left open")
        return outcome
    }

    /** The strict reader finds the same tasks by the same numbers. */
    private fun compare(found: GlobalView) =
        Multifile.open(store, HostileFiles.MULTIFILE).use { originals ->
            repeat(found.taskCount()) { task ->
                val original = originals.taskOfGlobalRank(task.toLong())
                same("task $task", bytesOf(originals, original), bytesOf(found, task))
            }
        }

    private fun bytesOf(view: GlobalView, task: Int): ByteBuffer {
        if (view.task(task).size() > files.size) throw AssertionError("task $task has more bytes than the files")
        val bytes = ByteBuffer.allocate(view.task(task).size().toInt())
        view.read(task, 0, bytes)
        return bytes.flip()
    }

    private companion object {
        const val LOST = "no copy"
        const val NOT_NEEDED = "copies not needed"
        const val RECOVERED = "recovered from copies"

        /** What the strict reader takes, and once more for the copies. */
        const val BYTES_PER_FILE_BYTE = 20
    }
}
