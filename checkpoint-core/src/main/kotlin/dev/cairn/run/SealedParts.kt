package dev.cairn.run

import dev.cairn.node.PartDrain
import dev.cairn.node.PartFlaw
import dev.cairn.node.SealedPart
import dev.cairn.ranks.DONE
import dev.cairn.ranks.agree
import dev.cairn.save.SaveContext
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
