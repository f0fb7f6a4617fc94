package dev.cairn.sion.fuzz

import dev.cairn.sion.Content
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.TaskView
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.salvage.Salvage
import dev.cairn.sion.salvage.SalvageView
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.io.IOException
import java.nio.ByteBuffer

/** Looks at what is left of hostile files, reads all of it, and repairs a copy of them. */
class SalvageThrough(private val files: HostileFiles) {
    private val bounds = Bounds.ofSearch(files.size)
    private val store = HostileStore(files.byPath, bounds)
    private val refusals = Refusals(files)
    private val path = if (files.choices[1] < 0) HostileFiles.MULTIFILE else files.path
    private var searched = 0L
    private val lengths = if (files.choices[0] < 0) Salvage.Lengths.LEAST else Salvage.Lengths.MOST

    /** What came of it, in a word or two; [strict] is how the strict reader refused the files. */
    fun run(strict: Exception?): String {
        var outcome = LOST
        refusals.of {
            bounds.allocating(BYTES_PER_FILE_BYTE) { Salvage.open(store, path, ::searched) }.use { view ->
                outcome = SALVAGED
                if (path == files.path) same("whole", strict == null, view.isWhole())
                view.files().forEach { file -> file.trouble().ifPresent(refusals::check) }
                repeat(view.taskCount()) { readTask(view.task(it), view.content()) }
                if (files.size <= LARGEST_REPAIRED && repair(view)) outcome = REPAIRED
            }
        }
        if (store.openCount != 0) throw AssertionError("${store.openCount} files were left open")
        return outcome
    }

    /** Zeros may be searched several times over, so the search has a limit. */
    private fun searched(byteCount: Long) {
        searched += byteCount
        if (searched > Bounds.mostSearched(files.size)) throw SearchAbandoned()
    }

    private fun readTask(task: SalvageView.SalvagedTask, content: Content) {
        task.trouble().ifPresent(refusals::check)
        if (task.trouble().isPresent) return
        if (task.size(Salvage.Lengths.LEAST) >
            task.size(Salvage.Lengths.MOST)
        ) {
            throw AssertionError("task ${task.task()} is too short")
        }
        task.remark()
        Salvage.Lengths.values().forEach { lengths ->
            val found = task.read(lengths)
            same("the size of task ${task.task()}", task.size(lengths), found.size())
            bytesOf(found)
            if (content == Content.RECORDS) refusals.of { found.records().entries() }
        }
    }

    /** Whether it was possible. If so, the strict reader reads the same. */
    private fun repair(view: SalvageView): Boolean {
        val disk = copyOfFiles()
        if (refusals.of { Salvage.repair(disk, view, lengths) } != null) return false
        try {
            Multifile.open(disk, path).use { compare(view, it) }
        } catch (refusal: SionException) {
            throw AssertionError("refused although it was repaired", refusal)
        }
        return true
    }

    private fun compare(view: SalvageView, repaired: GlobalView) {
        same("tasks", view.taskCount(), repaired.taskCount())
        repeat(view.taskCount()) { task ->
            same("repaired task $task", bytesOf(view.task(task).read(lengths)), bytesOf(repaired.task(task)))
        }
    }

    private fun copyOfFiles(): BlockStore {
        val disk = SimulatedDisk().host("node0")
        disk.makeDirectory(HostileFiles.DIRECTORY)
        files.byPath.forEach { (path, content) -> disk.create(path).use { it.write(0, ByteBuffer.wrap(content)) } }
        return disk
    }

    private fun bytesOf(task: TaskView): ByteBuffer {
        if (task.size() > files.size) throw AssertionError("task ${task.task()} has more bytes than the files")
        val bytes = ByteBuffer.allocate(task.size().toInt())
        task.read(0, bytes)
        return bytes.flip()
    }

    private companion object {
        const val LOST = "lost"
        const val SALVAGED = "salvaged"
        const val REPAIRED = "repaired"

        /** What is larger takes a simulated disk long to copy. */
        const val LARGEST_REPAIRED = 8_000

        const val BYTES_PER_FILE_BYTE = 64
    }
}

/** The search through a file that was not closed was ended. */
class SearchAbandoned : IOException("enough was searched")
