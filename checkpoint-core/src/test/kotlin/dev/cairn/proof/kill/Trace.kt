package dev.cairn.proof.kill

import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.store.SaveNames
import kotlin.random.Random

/** What a program of checkpoints is about to do. */
enum class Moment {
    /** It owns the store, and restores. */
    OPENING,

    /** It is between two saves. */
    COMPUTING,

    /** It begins a save: gives it a number and a directory. */
    BEGIN,

    /** It creates the multifile, and all ranks write. */
    DATA,

    /** It makes the multifile durable: its bytes or its names. */
    FORCE,

    /** It closes the multifile: META2, and META1's pointer to it. */
    META2,

    /** It prepares the manifest, and looks at the owner once more. */
    MANIFEST,

    /** It gives the manifest its name, and makes that durable. */
    RENAME,

    /** It deletes what is old. */
    RETENTION,

    /** It has its result, and gives the store back. */
    CLOSING,
    ;

    val isInsideSave get() = this in BEGIN..RETENTION

    companion object {
        /** The parts of a save in which something is lost if the order is wrong. */
        val PARTS = listOf(DATA, FORCE, META2, MANIFEST, RENAME, RETENTION)
    }
}

/** What a program has said, event by event; see [EventPipe]. What it did is worked out from the names alone. */
class Trace(private val lines: List<String>) {
    /** The moment of each event, in order. */
    val moments = mutableListOf<Moment>()

    /** The saves of which one must be the newest: several, if it cannot be known whether an operation took place. */
    val newest: Set<Int?> get() = setOf(named) + inCommit.filter { it > (named ?: 0) }

    /** Whether the store was surely not given back yet. */
    val isOwning get() = moment != Moment.CLOSING

    /** The save that was begun last; null if none was. */
    var begun: Int? = null
        private set

    private var moment = Moment.OPENING
    private var named: Int? = null

    /** The saves that are being sealed or committed: of one that is drained and one that is made, one each. */
    private val inCommit = mutableSetOf<Int>()
    private var lastCommit: Int? = null

    /** The saves whose manifest was given its name; a save that is only sealed is still worked on. */
    private val committed = mutableSetOf<Int>()
    private val forced = mutableSetOf<String>()

    /** Saves whose deletion has begun, and the numbers of the events from there on. */
    private val expired = mutableSetOf<Int>()
    private val deletions = mutableSetOf<Int>()

    init {
        lines.forEach(::hear)
    }

    /** A place in [moment] that another run has, too. Each look at the owner is the same event, whatever it is for. */
    fun pauseIn(moment: Moment, random: Random): Pause {
        val ofSaves =
            moments.indices.filter {
                moments[it] == moment && numberOf(
                    lines[it].substringAfter(' '),
                ) != null
            }
        val events = if (moment == Moment.RETENTION) ofSaves.filter(deletions::contains) else ofSaves
        return Pause.at(lines, events.random(random))
    }

    private fun hear(line: String) {
        val (word, path) = "$line ".split(" ")
        if (word == EventPipe.WAITING) {
            // What waits has not been carried out.
            lastCommit?.let { inCommit -= it }
            return
        }
        // On the disk of the host, where nothing is sealed or committed.
        if (path.startsWith("..")) {
            moments += moment
            return
        }
        val number = numberOf(path)
        if (number != null && isOfRetention(word, path, number)) {
            if (number in expired) deletions += moments.size
            moments += Moment.RETENTION
            lastCommit = null
            return
        }
        // The next operation on the same save shows that it took place; other work may come between them.
        if (number != null && inCommit.remove(number)) named = maxOf(named ?: 0, number)
        lastCommit = if (isCommit(word, path)) numberIn(path) else null
        lastCommit?.let { inCommit += it }
        if (lastCommit != null && SaveNames.NEW_MANIFEST in path) committed += numberIn(path)
        moment =
            when (word) {
                "step" -> Moment.COMPUTING
                "result" -> Moment.CLOSING
                else -> momentOf(Kind.valueOf(word), path)
            }
        moments += moment
    }

    /** A restart on the same hosts continues from a save that is committed, or sealed, or whose note of its hosts is whole. */
    private fun isCommit(word: String, path: String) =
        when (word) {
            Kind.RENAME.name -> COMMITS.any { it in path }
            Kind.WRITE.name -> path.endsWith("/${SaveNames.HOSTS}")
            else -> false
        }

    /** Saves that are named are looked at, and deleted when they are old, while the program goes on. */
    private fun isOfRetention(word: String, path: String, save: Int): Boolean {
        if (word == Kind.RENAME.name && path.endsWith("/${SaveNames.MANIFEST}")) expired += save
        return save in expired || (save <= (named ?: 0) && (save in committed || save < (begun ?: 0)))
    }

    private fun momentOf(kind: Kind, path: String): Moment =
        when {
            moment == Moment.OPENING || moment == Moment.CLOSING -> moment
            moment == Moment.COMPUTING -> Moment.BEGIN
            moment == Moment.RENAME && kind == Kind.FORCE_DIRECTORY -> Moment.RENAME
            moment == Moment.RENAME || moment == Moment.RETENTION -> Moment.RETENTION
            kind == Kind.RENAME -> Moment.RENAME
            kind == Kind.MAKE_DIRECTORY -> Moment.BEGIN.also { begun = numberIn(path) }
            SaveNames.DATA in path -> momentOfData(kind, path)
            moment == Moment.BEGIN -> Moment.BEGIN
            kind == Kind.FORCE_DIRECTORY -> Moment.FORCE
            SaveNames.OWNER in path || SaveNames.NEW_MANIFEST in path -> Moment.MANIFEST
            else -> moment
        }

    /** A write to a file that was forced belongs to its close. */
    private fun momentOfData(kind: Kind, path: String): Moment =
        when {
            kind == Kind.FORCE -> Moment.FORCE.also { forced += path }
            path in forced -> Moment.META2
            else -> Moment.DATA
        }

    private fun numberIn(path: String): Int = checkNotNull(numberOf(path)) { "no save has the file $path" }

    private fun numberOf(path: String): Int? = path.substringBefore('/').toIntOrNull()

    private companion object {
        val COMMITS = listOf(SaveNames.NEW_MANIFEST, SaveNames.NEW_SEAL)
    }
}
