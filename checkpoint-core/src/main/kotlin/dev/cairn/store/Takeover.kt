package dev.cairn.store

import java.time.Duration

/** When a program may take over a store that another owner has not released. */
internal sealed interface Takeover {
    /**
     * If that owner ran on this host, or on another one, which locks may not reach, and gives no heartbeat while this program looks at
     * its note for [silence]. The clocks of two hosts are never compared. [pause] waits between two looks.
     */
    class IfDead(
        val silence: Duration = SILENCE,
        private val pause: (Duration) -> Unit = { Thread.sleep(it.toMillis()) },
    ) : Takeover {
        /** What [read] finds as soon as it is no longer [note]; [note] if that stays. */
        fun watch(note: OwnerNote, read: () -> OwnerNote): OwnerNote {
            repeat(silence.dividedBy(LOOK).toInt()) {
                pause(LOOK)
                val found = read()
                if (found != note) return found
            }
            return note
        }

        companion object {
            /** The name of a system property: for how many seconds an owner on another host is watched. */
            const val SILENCE_SECONDS: String = "cairn.takeover.silence-seconds"

            private const val DEFAULT_SECONDS = 120L
            private val SILENCE get() = Duration.ofSeconds(java.lang.Long.getLong(SILENCE_SECONDS, DEFAULT_SECONDS))
            private val LOOK: Duration = Duration.ofSeconds(1)
        }
    }

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
    data class Inherited(val explanation: String) : Claim

    /** The program takes the store over from an owner that may continue one day; the sentence is for people. */
    data class Displacing(val explanation: String) : Claim

    /** The program must not use the store; the sentence advises the user. */
    data class Refused(val advice: String) : Claim
}

/** The right of a program on [host] to a store whose lock is free and whose last owner left this note; [look] reads it again. */
internal fun Takeover.claim(note: OwnerNote, host: String, look: () -> OwnerNote): Claim =
    when {
        note is OwnerNote.None -> {
            Claim.Free
        }

        // Two hosts may have the same name, so nobody knows whether that process has ended.
        this is Takeover.Asked -> {
            Claim.Displacing(tookOver(note, "its lock is free, and the user asked"))
        }

        note is OwnerNote.Known && note.owner.host == host && !note.owner.isHere && note.owner.isRunning -> {
            Claim.Refused(UNLOCKED)
        }

        note is OwnerNote.Known && note.owner.host == host -> {
            Claim.Inherited(tookOver(note, "that process has ended"))
        }

        this is Takeover.IfDead && note is OwnerNote.Known -> {
            claimSilent(note, watch(note, look))
        }

        else -> {
            Claim.Refused(UNREADABLE)
        }
    }

private fun Takeover.IfDead.claimSilent(note: OwnerNote.Known, found: OwnerNote): Claim =
    when (found) {
        note -> {
            val silent = "its lock is free, and it has given no sign of life for ${silence.toSeconds()} s"
            Claim.Displacing(tookOver(note, silent))
        }

        is OwnerNote.None -> {
            Claim.Free
        }

        else -> {
            Claim.Refused(ALIVE)
        }
    }

/** The same while a living process holds the lock. */
internal fun Takeover.claimHeld(note: OwnerNote): Claim =
    when (this) {
        is Takeover.IfDead -> Claim.Refused(WAIT)
        is Takeover.Asked -> Claim.Displacing(tookOver(note, "that process still holds its lock, but the user asked"))
    }

/** Not as an option: not every program reads a command line. */
private const val SETTING = "the setting take-over = true"

private const val WAIT =
    "Wait until it has ended, or use another directory. If it is stopped and must not continue, end it, or take the " +
        "store over with $SETTING."

private const val ALIVE =
    "Its lock is free, which may not reach from there to here, but it has just given a sign of life. Wait until it " +
        "has ended, or use another directory. If it must not continue, end it, or take the store over with $SETTING."

private const val UNLOCKED =
    "That process is running, although its lock is free: the file '${SaveNames.LOCK}' was deleted or replaced. Wait " +
        "until it has ended, or use another directory. If it must not continue, end it, or take the store over with " +
        "$SETTING."

private const val UNREADABLE =
    "Its lock is free, but it may not reach here from other hosts. Make sure that no program writes into this " +
        "store, and take it over with $SETTING."

private fun tookOver(note: OwnerNote, why: String) = "took the store over from $note: $why"
