package dev.cairn.store

import java.time.Duration
import java.time.Instant

/** When a program may take a store over that another owner has not given back. */
internal sealed interface Takeover {
    /** When that one ran on this host, or has been silent for [silence] on another, which locks may not reach. */
    data class IfDead(
        val silence: Duration = Duration.ofMinutes(2),
    ) : Takeover

    /**
     * At once, whoever holds it: a person has made sure that the other one is dead, or will never go on. One that is only
     * stopped still holds the lock; if it wakes up nevertheless, it is fenced.
     */
    data object Asked : Takeover
}

/** What a program may do with a store. */
internal sealed interface Claim {
    /** It has no owner to be taken over from. */
    data object Free : Claim

    /** It takes the store over from an owner that has ended, and tells people so in this sentence. */
    data class Inherited(
        val explanation: String,
    ) : Claim

    /** It takes the store over from an owner that may go on one day, and tells people so in this sentence. */
    data class Displacing(
        val explanation: String,
    ) : Claim

    /** It must leave the store alone, and this is what a person can do. */
    data class Refused(
        val advice: String,
    ) : Claim
}

/** What a program on [host] may do at [now] with a store whose lock is free and whose last owner left this note. */
internal fun Takeover.claim(
    note: OwnerNote,
    host: String,
    now: Instant,
): Claim =
    when {
        note is OwnerNote.Nobody -> Claim.Free
        note is OwnerNote.Known && note.owner.host == host -> Claim.Inherited(tookOver(note, "that process has ended"))
        this is Takeover.IfDead && !isDead(note, now) -> Claim.Refused(advice(note))
        else -> Claim.Displacing(tookOver(note, "nobody holds its lock"))
    }

/** The same while a living process holds the lock. */
internal fun Takeover.claimHeld(note: OwnerNote): Claim =
    when (this) {
        is Takeover.IfDead -> Claim.Refused(WAIT)
        is Takeover.Asked -> Claim.Displacing(tookOver(note, "that process still holds its lock, but somebody asked"))
    }

private const val WAIT =
    "Wait until it has ended, or use another directory. If it is stopped and must not go on, end it, or take the " +
        "store over with --take-over."

private fun Takeover.IfDead.isDead(
    note: OwnerNote,
    now: Instant,
): Boolean = note is OwnerNote.Known && now >= note.owner.heartbeat + silence

private fun Takeover.IfDead.advice(note: OwnerNote): String =
    when (note) {
        is OwnerNote.Known -> {
            "Its lock is free, but it may not reach from ${note.owner.host} to here. If that process has ended, wait " +
                "until ${note.owner.heartbeat + silence}, or take the store over with --take-over."
        }

        else -> {
            "Its lock is free, but it may not reach here from other hosts. Make sure that no program writes into " +
                "this store, and take it over with --take-over."
        }
    }

private fun tookOver(
    note: OwnerNote,
    why: String,
) = "took the store over from $note: $why"
