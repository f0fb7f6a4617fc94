package dev.cairn.store

/**
 * The walk from the newest save to the first good one of the same history. If the newest save is not good, only saves
 * that led to it may take its place, never a checkpoint of another run or of another branch. If its history cannot be
 * read, none may.
 */
internal class Walk(
    private val store: CheckpointStore,
    private val survey: Survey,
    private val inspection: Inspection,
) {
    private val notes = survey.entries.mapNotNull(::noteOn).toMutableList()
    private val rejected = mutableListOf<Verdict.Rejected>()
    private val aside = mutableListOf<Candidate>()

    fun newest(): Discovery {
        for (entry in survey.numbered) {
            if (isLeftAside(entry)) continue
            when (val verdict = store.judge(entry, inspection)) {
                is Verdict.Accepted -> return good(verdict.candidate)
                is Verdict.Rejected -> rejected += verdict
                is Verdict.Unsupported -> return Discovery.NoneGood(rejected, notes, aside, unsupported = verdict)
                null -> if (entry is Entry.Lost) notes += unfinished(entry, failure = null)
            }
        }
        return if (rejected.isEmpty()) Discovery.None(notes) else Discovery.NoneGood(rejected, notes, aside)
    }

    /** Whether the save is not known to have led to the newest one that was rejected; it is noted if it is not. */
    private fun isLeftAside(entry: Entry.Numbered): Boolean {
        val first = rejected.firstOrNull() ?: return false
        val candidate = (entry as? Entry.Save)?.let(store::readOrNull) ?: return false
        val isPast = first.lineage.let { it != null && candidate.manifest in it }
        if (!isPast) aside += candidate
        return !isPast
    }

    private fun good(candidate: Candidate) =
        Discovery.Good(candidate, survey.saveAfter(candidate.number), rejected, notes, aside)

    private fun noteOn(entry: Entry): String? =
        when (entry) {
            is Entry.Save, is Entry.Lost, is Entry.Unreadable -> null
            is Entry.Sealed -> "${entry.path}: no checkpoint, but complete on the disks of its hosts"
            is Entry.Unfinished -> unfinished(entry, entry.failure)
            is Entry.Deleted -> "${entry.path}: no checkpoint, since it was deleted"
            is Entry.Foreign -> "${entry.path}: no checkpoint, left alone"
        }

    private fun unfinished(entry: Entry, failure: String?) =
        "${entry.path}: no checkpoint, ${store.lackOf(entry)}" + if (failure == null) "" else ": $failure"
}
