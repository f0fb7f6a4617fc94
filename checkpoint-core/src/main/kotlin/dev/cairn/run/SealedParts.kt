package dev.cairn.run

import dev.cairn.comm.DONE
import dev.cairn.comm.agree
import dev.cairn.node.Draining
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
    val work = worker.start { own.associate { it.file to flawOf(sealed, it) } }
    ranks.awaitWorkers(work::join, { Ready(making = false, draining = work.isCompleted) })
    val found =
        work.await().map { flaws ->
            PartFlaws(flaws.mapNotNull { (file, flaw) -> flaw?.let { file to it } }.toMap())
        }
    ranks.agree("drain save ${sealed.manifest.save}", PART_FLAWS, DONE, found) { all ->
        parts.forEach { settle(it, all[it.source.rank].flaws[it.file]) }
    }
}

/** Drains the part, or verifies it if it is in the shared store. Returns its flaw; null if it has none. */
private suspend fun SaveContext.flawOf(
    sealed: StoredManifest,
    part: SealedPart,
): PartFlaw? {
    val spec = spec(sealed.manifest.save)
    val target = spec.path().resolveSibling(part.file)
    val isDrained = part.source.host == null
    val source = if (isDrained) target else checkNotNull(local).saves.file(sealed.manifest.save, part.file)
    val draining =
        Draining(files, source, sealed.manifest, part.checksum, pool, spec.forcePolicy()) { worker.pause() }
    try {
        if (isDrained) draining.verify() else draining.copyTo(target)
        return null
    } catch (failure: Exception) {
        val flaw = Flaw.of(failure) ?: throw failure
        return PartFlaw(flaw, failure.message.toString().removeSuffix("."))
    }
}
