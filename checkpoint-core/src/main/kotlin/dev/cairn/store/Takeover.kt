package dev.cairn.store

import java.time.Duration
import java.time.Instant

/** When a program may take over a store that another owner has not released. */
internal sealed interface Takeover {
    /** If that owner ran on this host, or has been silent for [silence] on another, which locks may not reach. */
    data class IfDead(
        val silence: Duration = Duration.ofMinutes(2),
    ) : Takeover

    /**
     * At once, from any owner: the user has made sure that it is dead, or will never continue. An owner that is only
     * stopped still holds the lock; if it wakes up nevertheless, it is fenced.
     */
    data object Asked : Takeover
}

/** The right of a program to a store. */
internal sealed interface Claim {
    /** The store has no owner. */
    data object Free : Claim

    /** The program takes the store over from an owner that has ended; the sentence is for people. */
    data class Inherited(
        val explanation: String,
    ) : Claim

    /** The program takes the store over from an owner that may continue one day; the sentence is for people. */
    data class Displacing(
        val explanation: String,
    ) : Claim

    /** The program must not use the store; the sentence advises the user. */
    data class Refused(
        val advice: String,
    ) : Claim
}

/** The right of a program on [host] at [now] to a store whose lock is free and whose last owner left this note. */
internal fun Takeover.claim(
    note: OwnerNote,
    host: String,
    now: Instant,
): Claim =
    when {
        note is OwnerNote.None -> {
            Claim.Free
        }

        // Two hosts may have the same name, so nobody knows whether that process has ended.
        this is Takeover.Asked -> {
            Claim.Displacing(tookOver(note, "its lock is free, and the user asked"))
        }

        note is OwnerNote.Known && note.owner.host == host -> {
            Claim.Inherited(tookOver(note, "that process has ended"))
        }

        this is Takeover.IfDead && !isDead(note, now) -> {
            Claim.Refused(advice(note))
        }

        else -> {
            Claim.Displacing(tookOver(note, "its lock is free"))
        }
    }

/** The same while a living process holds the lock. */
internal fun Takeover.claimHeld(note: OwnerNote): Claim =
    when (this) {
        is Takeover.IfDead -> Claim.Refused(WAIT)
        is Takeover.Asked -> Claim.Displacing(tookOver(note, "that process still holds its lock, but the user asked"))
    }

/** Programs that read no command line have the same setting. */
private const val SETTING = "take-over = true (--take-over where there is a command line)"

private const val WAIT =
    "Wait until it has ended, or use another directory. If it is stopped and must not continue, end it, or take the " +
        "store over with $SETTING."

private fun Takeover.IfDead.isDead(
    note: OwnerNote,
    now: Instant,
): Boolean = note is OwnerNote.Known && now >= note.owner.heartbeat + silence

private fun Takeover.IfDead.advice(note: OwnerNote): String =
    when (note) {
        is OwnerNote.Known -> {
            "Its lock is free, but it may not reach from ${note.owner.host} to here. If that process has ended, wait " +
                "until ${note.owner.heartbeat + silence}, or take the store over with $SETTING."
        }

        else -> {
            "Its lock is free, but it may not reach here from other hosts. Make sure that no program writes into " +
                "this store, and take it over with $SETTING."
        }
    }

private fun tookOver(
    note: OwnerNote,
    why: String,
) = "took the store over from $note: $why"
