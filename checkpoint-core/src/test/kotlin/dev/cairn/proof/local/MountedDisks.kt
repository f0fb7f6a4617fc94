package dev.cairn.proof.local

import dev.cairn.event.SaveOutcome
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.SaveNames
import java.nio.file.Path
import kotlin.io.path.createDirectory

/** Two small file systems in memory below [directory], for a process that has mounts of its own. */
private class MountedDisks(directory: Path) {
    private val own = directory.resolve("own").createDirectory()
    private val shared = directory.resolve("shared").createDirectory()
    private val store = shared.resolve("heat.cairn")
    private val options = CheckpointOptions(SMALL_OPTIONS) { local = own.resolve("saves") }

    init {
        listOf(own, shared).forEach { run("mount", "-t", "tmpfs", "-o", "size=4m", "small", "$it") }
    }

    val ofLocalDisk = Ballast(FileBlockStore(), own.resolve("ballast"))
    val ofShared = Ballast(FileBlockStore(), shared.resolve("ballast"))

    /** What has a file open goes on with it; all that is opened or changed by name is refused from now on. */
    fun makeSharedReadOnly() {
        run("mount", "--bind", "$shared", "$shared")
        run("mount", "-o", "remount,bind,ro", "$shared")
    }

    fun makeSharedWritable() = run("umount", "--lazy", "$shared")

    suspend fun save(files: BlockStore, before: (Long) -> Unit = {}): List<SaveOutcome> =
        ranks(RankPlan(3)) {
            saveEach(Known.SMALL, files, 1L..4, store, options) { step -> if (rank == 0) before(step) }
        }.distinct().single()

    suspend fun restore(): Long? =
        ranks(2) { restoreKnown(Known.SMALL, FileBlockStore(), store, options)?.step }.distinct().single()

    private fun run(vararg command: String) =
        check(ProcessBuilder(*command).inheritIO().start().waitFor() == 0) { command.joinToString(" ") }
}

/** Real files; [act] takes place before the operation at [point]. */
private class ActingStore(point: Point, private val act: () -> Unit) : ForwardingStore(FileBlockStore()) {
    private val isFirst = point.search()

    @Synchronized
    override fun onOperation(operation: BlockStore.Operation) {
        if (isFirst(operation)) act()
    }
}

private val IN_SAVE_2 =
    Point(Kind.CREATE) { it.endsWith("${SaveNames.directory(2)}/${SaveNames.DATA}") }

private val IN_DRAIN_2 =
    Point(Kind.CREATE) { it.parent.endsWith(SaveNames.directory(2)) && SaveNames.isPart("${it.fileName}") }

private suspend fun MountedDisks.suffer(trouble: String): List<SaveOutcome> =
    when (trouble) {
        "local-full" -> {
            save(ActingStore(IN_SAVE_2) { ofLocalDisk.fill() }) { if (it == 4L) ofLocalDisk.remove() }
        }

        "shared-full" -> {
            save(ActingStore(IN_DRAIN_2) { ofShared.fill() }) { if (it == 4L) ofShared.remove() }
        }

        "read-only-in-a-drain" -> {
            save(ActingStore(IN_DRAIN_2) { makeSharedReadOnly() }) { if (it == 4L) makeSharedWritable() }
        }

        "read-only-between-saves" -> {
            save(FileBlockStore()) {
                if (it == 2L) makeSharedReadOnly()
                if (it == 4L) makeSharedWritable()
            }
        }

        else -> {
            error("an unknown trouble: $trouble")
        }
    }

/** An empty directory, and the trouble. Prints how each save ended, and the step that was restored. */
internal suspend fun main(arguments: Array<String>) {
    val disks = MountedDisks(Path.of(arguments[0]))
    disks.suffer(arguments[1]).forEach { println("step ${it.javaClass.simpleName}: $it") }
    println("restored: ${disks.restore()}")
}
