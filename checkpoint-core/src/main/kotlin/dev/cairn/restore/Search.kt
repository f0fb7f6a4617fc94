package dev.cairn.restore

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.RankDiffersException
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.NUMBER
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.copiedBytes
import dev.cairn.ranks.decide
import dev.cairn.ranks.optional
import dev.cairn.ranks.text
import dev.cairn.reading.checkpoint
import dev.cairn.reading.openData
import dev.cairn.sion.MultifileMeta
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Flaw
import dev.cairn.store.Inspection
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.StoredManifest
import dev.cairn.store.Survey
import dev.cairn.store.Verdict
import dev.cairn.store.goodOrNull
import dev.cairn.store.inform
import dev.cairn.store.isOfNewerFormat
import dev.cairn.store.observe
import dev.cairn.store.requireUnchanged
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A checkpoint from which all ranks are to restore: the same on all of them.
 *
 * @property laterSave the newest save, if this is an older one
 */
internal class Found(
    val manifest: Manifest,
    val contents: ByteBuffer,
    val meta: ByteBuffer,
    val data: Path,
    val laterSave: Int?,
)

/**
 * The choice of a checkpoint, and the flaws of those from which a restore has failed. Rank 0 uses the flaws, and decides for
 * all ranks.
 *
 * @property number the save that the user has chosen; null for the newest good one
 */
internal class Choice(val number: Int?) {
    private val tried = mutableMapOf<Int, CheckpointException>()
    private val noted = mutableSetOf<String>()

    /** Whether [note] is told for the first time. */
    fun isNew(note: String): Boolean = noted.add(note)

    /** Excludes the checkpoint [number], because a restore from it has failed. */
    fun reject(number: Int, flaw: Flaw, reason: String) {
        tried[number] = if (flaw == Flaw.UNREADABLE) Unreadable(Details(reason)) else Damaged(Details(reason))
    }

    override fun toString(): String = number?.let { "save $it" } ?: "the newest good checkpoint"

    fun requireUntried(number: Int) {
        tried[number]?.let { throw it }
    }
}

/**
 * Collective: rank 0 looks for the checkpoint of [choice] and broadcasts the result. The choices of the ranks are not compared
 * here: [SearchResult.requireSame] does that on each rank.
 *
 * @param awaitDeletions is called on rank 0 before it looks
 * @param passOver is called on rank 0 with each save that is rejected
 */
internal suspend fun Communicator.find(
    store: CheckpointStore,
    files: BlockStore,
    choice: Choice,
    awaitDeletions: suspend () -> Unit,
    passOver: (Verdict.Rejected) -> Unit,
): SearchResult {
    val ofRoot =
        decide("look for a checkpoint", ANSWER) {
            awaitDeletions()
            store.observe(isSure = { it.unsealed == null }) { choose(store, it, files, choice, passOver) }
        }
    ofRoot.unsealed?.let { return SearchResult(ofRoot.choice, found = null, unsealed = it) }
    if (ofRoot.sealed != null) {
        return SearchResult(ofRoot.choice, null, ManifestFormat.decode(store.directory, ofRoot.sealed.copiedBytes()))
    }
    val found = ofRoot.found ?: return SearchResult(ofRoot.choice, null)
    val decoded = shareInProcess { ManifestFormat.decode(store.directory, found.manifest.copiedBytes()).manifest }
    val data = SaveNames.data(store.directory, decoded.save)
    return SearchResult(ofRoot.choice, Found(decoded, found.contents, found.meta, data, found.laterSave))
}

/**
 * The result of rank 0's search.
 *
 * @property found null if there is no checkpoint at all, or if one is [sealed] or [unsealed]
 * @property sealed of the save to be drained from the disks of its hosts, and committed, before a new search; null if there is none
 * @property unsealed the save that would be [sealed], but needs a new seal; null if there is none
 */
internal class SearchResult(
    private val choiceOfRoot: String,
    val found: Found?,
    val sealed: StoredManifest? = null,
    val unsealed: Unsealed? = null,
) {
    /** Refuses a [choice] of [rank] that differs from that of rank 0. */
    fun requireSame(rank: Int, choice: Choice) {
        if ("$choice" == choiceOfRoot) return
        throw RankDiffersException(
            rank,
            "restores $choice",
            "rank $ROOT $choiceOfRoot",
            "Nothing was restored: all ranks must restore the same checkpoint.",
        )
    }
}

/** The save [number] is complete on the disks of its hosts, but its seal has this [flaw]. */
internal class Unsealed(val number: Int, val flaw: String)

/** The bytes of a checkpoint that rank 0 has read for all: the manifest, the contents, and the meta data of the multifile. */
private class FoundBytes(val manifest: ByteBuffer, val contents: ByteBuffer, val meta: ByteBuffer, val laterSave: Int?)

/**
 * The answer of rank 0 to all ranks, for its [choice] in words: the checkpoint that it has [found], or the manifest of a save that is
 * [sealed], or that is [unsealed]; all are null if there is none.
 */
private class SearchAnswer(
    val choice: String,
    val found: FoundBytes?,
    val sealed: ByteBuffer? = null,
    val unsealed: Unsealed? = null,
)

private val FOUND_BYTES =
    Structure(FoundBytes(NOTHING, NOTHING, NOTHING, null)) {
        FoundBytes(bytes(it.manifest), bytes(it.contents), bytes(it.meta), optional(it.laterSave, NUMBER))
    }

private val BYTES = Structure(NOTHING) { bytes(it) }

private val UNSEALED = Structure(Unsealed(0, "")) { Unsealed(u32(it.number), text(it.flaw)) }

private val ANSWER =
    MessageFields("the checkpoint that rank 0 restores", SearchAnswer("", null)) {
        SearchAnswer(
            text(it.choice),
            optional(it.found, FOUND_BYTES),
            optional(it.sealed, BYTES),
            optional(it.unsealed, UNSEALED),
        )
    }

/** The former owner of a store that was taken over may end a commit that it had begun. */
private fun choose(
    store: CheckpointStore,
    survey: Survey,
    files: BlockStore,
    choice: Choice,
    passOver: (Verdict.Rejected) -> Unit,
): SearchAnswer {
    val sealed = if (choice.number == null) survey.newestSealed else survey.sealed.find { it.number == choice.number }
    if (sealed == null) return SearchAnswer("$choice", chooseGood(store, survey, files, choice, passOver))
    return try {
        SearchAnswer("$choice", found = null, store.read(sealed).bytes)
    } catch (damaged: CheckpointException) {
        if (damaged.isOfNewerFormat) throw damaged
        val unsealed = Unsealed(sealed.number, damaged.message.toString().removeSuffix("."))
        SearchAnswer("$choice", found = null, unsealed = unsealed)
    }
}

/** Null if there is no checkpoint. */
private fun chooseGood(
    store: CheckpointStore,
    survey: Survey,
    files: BlockStore,
    choice: Choice,
    passOver: (Verdict.Rejected) -> Unit,
): FoundBytes? {
    val read = mutableMapOf<Int, Pair<ByteBuffer, ByteBuffer>>()
    val inspection =
        Inspection { candidate ->
            choice.requireUntried(candidate.number)
            val meta = candidate.openData { MultifileMeta.read(files, it) }
            read[candidate.number] = meta.open(files).checkpoint(candidate).use { it.packed } to meta.bytes()
        }
    val discovery = choice.number?.let { store.discover(it, inspection) } ?: store.discover(survey, inspection)
    if (discovery.rejected.isNotEmpty()) store.requireUnchanged(survey)
    discovery.notes.filter(choice::isNew).forEach { LOG.inform(files, it) }
    discovery.rejected.forEach(passOver)
    val good = discovery.goodOrNull(store.directory) ?: return null
    good.aside.forEach {
        LOG.log(WARNING, "${it.path}: passed over: ${it.place} did not lead to the newest checkpoint")
    }
    val (contents, meta) = read.getValue(good.newest.number)
    return FoundBytes(good.newest.stored.bytes, contents, meta, good.laterSave)
}

private val LOG: System.Logger = System.getLogger(Found::class.java.name)
