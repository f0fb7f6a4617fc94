package dev.cairn.store

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.Unreadable
import java.nio.file.Path

/** A save whose manifest, [stored], was read and found whole. */
internal data class Candidate(val entry: Entry.Numbered, val stored: StoredManifest) {
    val number: Int get() = entry.number
    val path: Path get() = entry.path
    val isPinned: Boolean get() = entry.isPinned
    val manifest: Manifest get() = stored.manifest

    /** The multifile that holds its data. */
    val data: Path get() = path.resolve(SaveNames.DATA)

    /** For people: where in which history it stands. */
    val place: String get() = "save $number (step ${manifest.step} of the run ${manifest.run})"
}

/** Re-reads the data of a candidate that must be good before the checkpoint is used. */
internal fun interface Inspection {
    /** Fails with an [java.io.IOException] or a [dev.cairn.event.CheckpointException] whose message says what is wrong. */
    fun inspect(candidate: Candidate)
}

/** The verdict on one save that was finished. */
internal sealed interface Verdict {
    data class Accepted(val candidate: Candidate) : Verdict

    /** Not to be restored for this [reason]. Its [lineage] is null if no readable data contain it. */
    data class Rejected(val entry: Entry.Numbered, val reason: String, val flaw: Flaw, val lineage: Lineage? = null) :
        Verdict {
        val number: Int get() = entry.number
        val path: Path get() = entry.path
    }

    /** Whole, but in a format that this version does not read: so it may be good, and is never passed over. */
    data class Unsupported(val number: Int, val failure: CheckpointException) : Verdict
}

/**
 * The result of a search of the store for a starting program. A checkpoint that cannot be read is never treated as
 * missing. The [notes] are for people: entries of the store that are no checkpoints.
 */
internal sealed interface Discovery {
    val notes: List<String>

    /** Those that are not good, newest first, and those not known to have led to the newest, which are not taken in its place. */
    val rejected: List<Verdict.Rejected> get() = emptyList()
    val aside: List<Candidate> get() = emptyList()

    /**
     * Whether the history of the newest one of [rejected] is known; if not, no other is known to be of another history.
     */
    val isHistoryKnown: Boolean get() = rejected.firstOrNull()?.lineage != null

    /** There is no checkpoint: start fresh. */
    data class None(override val notes: List<String>) : Discovery

    /**
     * [newest] is the newest good one; those [rejected] and those left [aside] are newer. [laterSave] is the newest save of all, if it is
     * not this one.
     */
    data class Good(
        val newest: Candidate,
        val laterSave: Int?,
        override val rejected: List<Verdict.Rejected> = emptyList(),
        override val notes: List<String> = emptyList(),
        override val aside: List<Candidate> = emptyList(),
    ) : Discovery

    /**
     * There are checkpoints, but no good one in the history of the newest: stop, and report the reasons. Or the chosen one is not good, and
     * the [others] were not examined. If there is an [unsupported] one, only a newer version reads it, and none that is older was examined.
     */
    data class NoneGood(
        override val rejected: List<Verdict.Rejected>,
        override val notes: List<String> = emptyList(),
        override val aside: List<Candidate> = emptyList(),
        val others: List<Int> = emptyList(),
        val unsupported: Verdict.Unsupported? = null,
    ) : Discovery
}

/** The good one in [store]; null if there is no checkpoint at all. Fails if there are some, and none is good. */
internal fun Discovery.goodOrNull(store: Path): Discovery.Good? =
    when (this) {
        is Discovery.None -> null
        is Discovery.Good -> this
        is Discovery.NoneGood -> throw unsupported?.failure ?: toException(store)
    }

/** The exception if nothing can be restored: checkpoints that cannot be read now are not called damaged. */
internal fun Discovery.NoneGood.toException(store: Path): CheckpointException {
    val reasons = rejected.map { it.reason }
    val isDamage = rejected.none { it.flaw == Flaw.UNREADABLE }
    val advice =
        if (isDamage) {
            "Restore the damaged or missing files from another copy, or deliberately start anew in another " +
                "directory or with the setting fresh = true."
        } else {
            "Not all are damaged: some cannot be read now. Make them readable, and start again."
        }
    val details =
        Details(
            "$store: $sentence $advice ${reasons.joinToString(" ")}",
            path = store,
            reason = Reason.NONE_GOOD,
            flaws = reasons,
        )
    return if (isDamage) Damaged(details) else Unreadable(details)
}

/** Checkpoints that may be of another history are restored only if the user chooses one of them. */
private val Discovery.NoneGood.sentence: String
    get() {
        val count = rejected.size
        val newest = "the newest ${if (count == 1) "checkpoint is" else "$count checkpoints are"} not good"
        val advice =
            "${aside.joinToString { it.place }}. To continue from one of these nevertheless, set from to its " +
                "number."
        return when {
            others.isNotEmpty() -> "$chosen, is not good; there are others: ${others.joinToString()}."
            aside.isEmpty() -> "it holds $count ${if (count == 1) "checkpoint" else "checkpoints"}, and none is good."
            isHistoryKnown -> "$newest, and none of the others led to it: $advice"
            else -> "$newest, and the saves that led to it cannot be determined: $advice"
        }
    }

private val Discovery.NoneGood.chosen get() = "save ${rejected.single().number}, which was chosen"
