package dev.cairn.run

import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
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
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.OutOfSpaceException
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.HostPlace
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNames
import dev.cairn.store.StoredManifest
import dev.cairn.structure.Structure
import dev.cairn.structure.text
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer

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
            drain(sealed, parts.filter { it.rank == ranks.rank })
            ranks.answerFrom(ROOT, "commit save $number") { commit(sealed) }
        } catch (failure: RankFailedException) {
            if (ranks.flawOf(failure) != Flaw.DAMAGED) throw failure
            val reason =
                failure.failures
                    .first()
                    .cause.message
                    .toString()
                    .removeSuffix(".")
            return ranks.collectively("complete save $number") {
                refuseOrUnseal(entryOf(sealed), "${nameOf(sealed)}, but cannot be had from there: $reason")
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
                    ?.completeFiles(number, sealed.toBytes())
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
        val places = placesOf(sealed)
        val fileCount = sealed.manifest.hints.fileCount
        if (places.size != fileCount) {
            val flaw = "its file '${SaveNames.HOSTS}' should name $fileCount places, and names ${places.size}"
            refuseOrUnseal(entryOf(sealed), "${nameOf(sealed)}, but $flaw")
            return emptyList()
        }
        val missing = places.filter { it.file !in rankOf }
        if (missing.isEmpty()) {
            deleteBrokenCopies(sealed)
            return places.map { Part(it.file, rankOf.getValue(it.file), it.checksum) }
        }
        val sentence = "${nameOf(sealed)}, but no rank finds ${missing.joinToString()}, complete"
        refuseOrUnseal(entryOf(sealed), sentence, ADVICE)
        return emptyList()
    }

    /** Of drains that were broken off. */
    private fun deleteBrokenCopies(sealed: StoredManifest) =
        context.files
            .list(entryOf(sealed).path)
            .filter { SaveNames.isPart("${it.fileName}") }
            .forEach { context.files.deleteIfThere(it) }

    /** On rank 0: as [refuseOrUnseal], for a save whose seal cannot be read. */
    fun giveUp(
        sealed: Entry.Sealed,
        flaw: String,
    ) = refuseOrUnseal(
        sealed,
        "${sealed.path}: the newest save lies on the disks of its hosts, but its seal is damaged: $flaw",
    )

    /** Throws, unless the user has said that the run goes on without the save; then rank 0 takes the seal off. */
    private fun refuseOrUnseal(
        sealed: Entry.Sealed,
        sentence: String,
        advice: String = "",
    ) {
        if (context.options.lostLocal == LostLocal.REFUSE) throw CheckpointException.LocalSaveLost(sentence, advice)
        if (owned == null) return
        owned.resume(sealed).abandon("It was given up, as lost-local says: $sentence")
        LOG.log(WARNING, "$sentence. It is given up, as lost-local says")
    }

    private fun nameOf(sealed: StoredManifest) =
        "${context.directory}: save ${sealed.manifest.save}, step ${sealed.manifest.step}, lies on the disks of its hosts"

    private fun placesOf(sealed: StoredManifest): List<HostPlace> {
        val file = entryOf(sealed).path.resolve(SaveNames.HOSTS)
        if (!context.files.exists(file)) return emptyList()
        val text = context.files.readWhole(file, MOST_BYTES)?.decodeToString()
        return text.orEmpty().lines().mapNotNull(HostPlace::parse)
    }

    private suspend fun drain(
        sealed: StoredManifest,
        parts: List<Part>,
    ) {
        val (number, step) = sealed.manifest.run { save to step }
        if (ranks.rank == ROOT) {
            LOG.log(
                INFO,
                "${context.directory}: save $number, step $step, is drained from the disks of its hosts before the restart",
            )
        }
        val work = context.worker.start { parts.forEach { drain(sealed, it) } }
        ranks.awaitWorkers(work::join, work::isCompleted)
        ranks.settle("drain save $number", work.await().exceptionOrNull())
    }

    private suspend fun drain(
        sealed: StoredManifest,
        part: Part,
    ) {
        val spec = context.spec(sealed.manifest.save)
        val source = checkNotNull(context.local).saves.file(sealed.manifest.save, part.file)
        val pause = context.worker::pause
        val draining =
            Draining(context.files, source, sealed.manifest, part.checksum, context.pool, spec.forcePolicy(), pause)
        try {
            draining.copyTo(spec.path().resolveSibling(part.file))
        } catch (damaged: SionException) {
            throw damaged
        } catch (full: OutOfSpaceException) {
            throw full
        } catch (unreadable: IOException) {
            throw CheckpointException.UnreadableData(source, unreadable)
        }
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

    /** A physical [file], by its name, the [rank] that drains it, and the [checksum] of its meta data. */
    private class Part(
        val file: String,
        val rank: Int,
        val checksum: Int,
    )

    private class Parts(
        val parts: List<Part>,
    )

    private companion object {
        const val MOST_BYTES = 16 shl 20
        const val ADVICE = "Start with ranks on these hosts, and with the setting local as it was then. "

        val PART = Structure(Part("", 0, 0)) { Part(text(it.file), u32(it.rank), u32(it.checksum)) }

        val PARTS = MessageFields("which ranks drain a save", Parts(emptyList())) { Parts(list(it.parts, PART)) }

        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}

private fun StoredManifest.toBytes() = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
