package dev.cairn.run

import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.comm.allReduce
import dev.cairn.comm.answerFrom
import dev.cairn.comm.collectively
import dev.cairn.comm.gatherText
import dev.cairn.disk.deleteIfThere
import dev.cairn.disk.readWhole
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.RankFailedException
import dev.cairn.local.Draining
import dev.cairn.options.LostLocal
import dev.cairn.restore.flawOf
import dev.cairn.save.SaveContext
import dev.cairn.save.requireDrained
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.StoredManifest
import dev.cairn.structure.Structure
import dev.cairn.structure.text
import kotlinx.coroutines.withTimeoutOrNull
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/**
 * Brings a save that another run has sealed from the disks of its hosts into the shared store, and commits it. Any ranks may do it that
 * reach these disks.
 */
internal class SealedCompletion(
    private val context: SaveContext,
    private val owned: OwnedStore?,
) {
    private val ranks = context.ranks

    /** Collective: returns when the save of [sealed] is committed, or given up. */
    suspend fun run(sealed: StoredManifest) {
        val number = sealed.manifest.save
        val parts = parts(sealed)
        if (parts.isEmpty()) return
        try {
            drain(sealed, parts.filter { it.rank == ranks.rank }.map { it.file })
            ranks.answerFrom(ROOT, "commit save $number") { commit(sealed) }
        } catch (failure: RankFailedException) {
            if (ranks.flawOf(failure) != Flaw.DAMAGED) throw failure
            return ranks.collectively("complete save $number") {
                giveUp(sealed, "${nameOf(sealed)}, but they cannot be used: ${failure.failures.first().cause.message}")
            }
        }
        ranks.collectively("delete save $number from the local disks") { context.local?.discard(number) }
    }

    /** Which rank drains which file; empty if the save was given up. */
    private suspend fun parts(sealed: StoredManifest): List<Part> {
        val number = sealed.manifest.save
        val found =
            ranks.collectively("look for save $number on the local disks") {
                context.local
                    ?.takeIf { it.hosts.isKeeper }
                    ?.saves
                    ?.filesOf(number, sealed.toBytes())
                    .orEmpty()
            }
        val all = ranks.gatherText(ROOT, found.joinToString("\n"))
        val answer = ranks.answerFrom(ROOT, "complete save $number") { PARTS.encode(Parts(choose(sealed, all))) }
        return PARTS.decode(answer).parts
    }

    /** On rank 0: the parts that the ranks have [found], one of each file. */
    private fun choose(
        sealed: StoredManifest,
        found: List<String>,
    ): List<Part> {
        val rankOf = found.flatMapIndexed { rank, names -> names.lines().map { it to rank } }.toMap()
        val first = context.spec(sealed.manifest.save)
        val wanted = (0 until sealed.manifest.hints.fileCount).map { "${first.file(it).fileName}" }
        val missing = wanted.filter { it !in rankOf }
        if (missing.isEmpty()) {
            deleteBrokenCopies(sealed)
            return wanted.map { Part(it, rankOf.getValue(it)) }
        }
        giveUp(sealed, "${nameOf(sealed)}, but no rank finds ${placesOf(missing, sealed)}")
        return emptyList()
    }

    /** Of drains that were broken off. */
    private fun deleteBrokenCopies(sealed: StoredManifest) =
        context.files
            .list(entryOf(sealed).path)
            .filter { SaveNames.isPart("${it.fileName}") }
            .forEach { context.files.deleteIfThere(it) }

    /** Throws, unless the user has said that the run goes on without the save; then rank 0 takes the seal off. */
    private fun giveUp(
        sealed: StoredManifest,
        sentence: String,
    ) {
        if (context.options.lostLocal == LostLocal.REFUSE) throw CheckpointException.LocalSaveLost(sentence)
        if (owned == null) return
        owned.resume(entryOf(sealed)).abandon("It was given up, as lost-local says: $sentence")
        LOG.log(WARNING, "$sentence. It is given up, as lost-local says")
    }

    private fun nameOf(sealed: StoredManifest) =
        "${context.directory}: save ${sealed.manifest.save}, step ${sealed.manifest.step}, is complete on the disks of its hosts"

    /** The files by their names, with the hosts that have them. */
    private fun placesOf(
        names: List<String>,
        sealed: StoredManifest,
    ): String {
        val file = entryOf(sealed).path.resolve(SaveNames.HOSTS)
        val lines =
            context.files
                .readWhole(file, MOST_BYTES)
                ?.decodeToString()
                .orEmpty()
                .lines()
        return names.joinToString { name -> lines.find { it.startsWith("$name on ") } ?: name }
    }

    private suspend fun drain(
        sealed: StoredManifest,
        names: List<String>,
    ) {
        val (number, step) = sealed.manifest.run { save to step }
        if (ranks.rank == ROOT) {
            LOG.log(
                INFO,
                "${context.directory}: save $number, step $step, is drained from the disks of its hosts before the restart",
            )
        }
        val work = context.worker.start { names.forEach { drain(sealed, it) } }
        do {
            withTimeoutOrNull(MEET_EVERY) { work.join() }
        } while (ranks.allReduce(if (work.isCompleted) 0L else 1L, Math::max) > 0)
        ranks.settle("drain save $number", work.await().exceptionOrNull())
    }

    private suspend fun drain(
        sealed: StoredManifest,
        name: String,
    ) {
        val number = sealed.manifest.save
        val source = checkNotNull(context.local).saves.file(number, name)
        val target: Path = context.spec(number).path().resolveSibling(name)
        val durability = context.spec(number).forcePolicy()
        Draining(context.files, source, sealed.manifest, context.pool, durability, context.worker::pause).copyTo(target)
    }

    /** Returns an empty answer, since none is needed. */
    private fun commit(sealed: StoredManifest): ByteBuffer {
        context.requireDrained(sealed.manifest)
        val directory = checkNotNull(owned).resume(entryOf(sealed))
        try {
            directory.commit(sealed.manifest)
        } catch (failure: Exception) {
            directory.leaveSealed()
            throw failure
        }
        return PARTS.encode(Parts(emptyList()))
    }

    private fun entryOf(sealed: StoredManifest): Entry.Sealed {
        val number = sealed.manifest.save
        return Entry.Sealed(number, context.directory.resolve(SaveNames.directory(number)))
    }

    /** A physical [file], by its name, and the [rank] that drains it. */
    private class Part(
        val file: String,
        val rank: Int,
    )

    private class Parts(
        val parts: List<Part>,
    )

    private companion object {
        const val MOST_BYTES = 16 shl 20
        val MEET_EVERY = 1.seconds

        val PART = Structure(Part("", 0)) { Part(text(it.file), u32(it.rank)) }

        val PARTS = MessageFields("which ranks drain a save", Parts(emptyList())) { Parts(list(it.parts, PART)) }

        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}

private fun StoredManifest.toBytes() = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
