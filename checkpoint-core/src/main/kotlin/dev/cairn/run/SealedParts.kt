package dev.cairn.run

import dev.cairn.node.HostFinds
import dev.cairn.node.PartDrain
import dev.cairn.node.PartFlaw
import dev.cairn.node.SealedPart
import dev.cairn.node.Source
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.Structure
import dev.cairn.ranks.agree
import dev.cairn.ranks.choice
import dev.cairn.ranks.flag
import dev.cairn.ranks.one
import dev.cairn.ranks.optional
import dev.cairn.ranks.text
import dev.cairn.save.SaveContext
import dev.cairn.store.Flaw
import dev.cairn.store.StoredManifest

/** Collective: each rank drains its own of the [parts]. On rank 0, [settle] gets each part, and its flaw if it has one. */
internal suspend fun SaveContext.drainParts(
    sealed: StoredManifest,
    parts: List<SealedPart>,
    settle: (SealedPart, PartFlaw?) -> Unit,
) {
    val own = parts.filter { it.source.rank == ranks.rank }
    val drain = partDrain(sealed)
    val work = worker.start { own.associate { it.file to drain.flawOf(it) } }
    ranks.awaitWorkers(work::join, { Ready(making = false, draining = work.isCompleted) })
    val found =
        work.await().map { flaws ->
            PartFlaws(flaws.mapNotNull { (file, flaw) -> flaw?.let { file to it } }.toMap())
        }
    ranks.agree("drain save ${sealed.manifest.save}", PART_FLAWS, DONE, found) { all ->
        parts.forEach { settle(it, all[it.source.rank].flaws[it.file]) }
    }
}

private fun SaveContext.partDrain(sealed: StoredManifest): PartDrain {
    val spec = spec(sealed.manifest.save)
    return PartDrain(files, spec.path().parent, sealed.manifest, local?.saves, pool, spec.forcePolicy(), worker::pause)
}

/** The [parts] that the ranks drain before they meet again; none when the save [is committed][isCommitted] or given up. */
internal class Round(val parts: List<SealedPart>, val isCommitted: Boolean)

/** No rank can have the save. */
internal val GIVEN_UP = Round(emptyList(), isCommitted = false)

/** The flaws that a rank has found, by the names of the files. */
internal class PartFlaws(val flaws: Map<String, PartFlaw>)

private val TEXT = Structure("") { text(it) }

private val SOURCE = Structure(Source(0, null)) { Source(u32(it.rank), optional(it.host, TEXT)) }

private val PART =
    Structure(
        SealedPart("", Source(0, null), 0),
    ) { SealedPart(text(it.file), one(it.source, SOURCE), u32(it.checksum)) }

private val FLAW =
    Structure("" to PartFlaw(Flaw.DAMAGED, "")) { (file, it) ->
        text(file) to PartFlaw(choice(Flaw.entries, it.flaw), text(it.sentence))
    }

internal val HOST_FINDS =
    MessageFields("the files that a host holds", HostFinds("", emptyList())) {
        HostFinds(text(it.host), list(it.names, TEXT))
    }

internal val ROUND =
    MessageFields("the ranks that drain parts of a save", GIVEN_UP) {
        Round(list(it.parts, PART), flag(it.isCommitted))
    }

internal val PART_FLAWS =
    MessageFields("the flaws of files on hosts", PartFlaws(emptyMap())) {
        PartFlaws(list(it.flaws.toList(), FLAW).toMap())
    }
