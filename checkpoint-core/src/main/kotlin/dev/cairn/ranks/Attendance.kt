package dev.cairn.ranks

import dev.cairn.event.RanksMissingException
import dev.cairn.event.RanksMissingException.Absentee
import dev.cairn.event.RollCall
import dev.cairn.ranks.RollCallNote.Answer
import dev.cairn.ranks.RollCallNote.Question
import dev.cairn.ranks.RollCallNote.Verdict
import kotlinx.coroutines.yield
import kotlin.time.Duration
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/**
 * Roll calls over a transport. A rank whose limit has passed asks all others whether they have reached the call. Waiting ranks answer; a
 * rank that does not answer is busy, stuck or dead. The verdict ends the wait of all ranks that arrived.
 *
 * Any rank can hold a roll call. Lower ranks begin earlier, and a rank that receives a question does not hold its own.
 */
internal class Attendance(private val line: TransportSession, private val answerTime: Duration) {
    private val rank get() = line.transport.rank

    /** Answers others, and holds a roll call when it is due. Throws when [stay] is over. */
    suspend fun attend(stay: Stay) {
        generateSequence { nextNote(Duration.ZERO) }.forEach { receive(it, stay) }
        if (stay.isOverdue(answerTime)) callTheRoll(stay)
    }

    private fun receive(note: RollCallNote, stay: Stay) {
        when (note) {
            is Question -> {
                val answer = answerTo(note, stay)
                send(note.sender, answer)
                if (answer.hasCome) stay.leaveToOther(answerTime)
            }

            // The participants of that call are out of step, and will not reach another one.
            is Verdict -> {
                if (stay.members.context == Tags.contextOf(note.tag)) throw RanksMissingException(note.rollCall)
            }

            // The answer is late: that roll call has ended.
            is Answer -> {
                return
            }
        }
    }

    private fun answerTo(question: Question, stay: Stay): Answer {
        val hasCome = line.hasCome(question.tag, question.number)
        val awaited = stay.members.ranks[stay.source]
        return Answer(rank, question.id, hasCome, awaited, line.whereabouts(), line.sightings())
    }

    private suspend fun callTheRoll(stay: Stay) {
        val question = Question(rank, stay.tag, stay.number)
        val awaited = stay.awaited().map { stay.members.ranks[it] }
        awaited.forEach { send(it, question) }
        val answers = answers(question, awaited.size, stay) ?: return
        val heldUp = heldUp(answers, awaited)
        val rollCall = rollCall(stay, answers, heldUp)
        val verdict = Verdict(rank, question.tag, question.number, rollCall)
        answers.filter { it.hasCome || it.sender in heldUp }.forEach { send(it.sender, verdict) }
        throw RanksMissingException(rollCall)
    }

    /** Collects answers for a while. Null if a lower rank asks about the same call; the lower rank has priority. */
    private suspend fun answers(question: Question, count: Int, stay: Stay): List<Answer>? {
        val answers = ArrayList<Answer>()
        val begin = TimeSource.Monotonic.markNow()
        while (answers.size < count && begin.elapsedNow() < answerTime) {
            val note = nextNote(TransportSession.SLICE)
            if (note is Answer && note.id == question.id) answers.add(note)
            if (note != null) receive(note, stay)
            if (note is Question && note.sender < rank && line.hasCome(note.tag, note.number)) return null
            yield()
        }
        return answers
    }

    /** The senders of [answers] that are late because they wait, directly or not, for one of the [awaited] ranks that does not answer. */
    private fun heldUp(answers: List<Answer>, awaited: List<Int>): Set<Int> {
        val known = answers.associateBy { it.sender }
        val silent = awaited.filter { it !in known }

        fun endOfWait(answer: Answer): Int {
            val passed = HashSet<Int>()
            var rank = answer.sender
            while (passed.add(rank)) rank = known[rank]?.awaited ?: return rank
            return rank
        }
        return answers.filter { !it.hasCome && endOfWait(it) in silent }.map { it.sender }.toSet()
    }

    private fun rollCall(stay: Stay, answers: List<Answer>, heldUp: Set<Int>): RollCall {
        val present = answers.filter { it.hasCome }.map { it.sender }.toSet()
        val places = answers.associate { it.sender to it.place }
        val sightings = answers.flatMap { it.sightings.entries }.associate { it.key to it.value } + line.sightings()
        val absentees =
            stay.awaited().filter { stay.members.ranks[it] !in present + heldUp }.map { member ->
                val sender = stay.members.ranks[member]
                val lastSeen = places[sender] ?: "does not answer, ${sightings[sender] ?: "never heard of"}"
                Absentee(member, line.hosts.getOrElse(sender) { "an unknown host" }, lastSeen)
            }
        return RollCall(stay.text, present.size + 1, absentees, "the limit of ${stay.limit} has passed")
    }

    private fun nextNote(patience: Duration): RollCallNote? =
        line.transport.receive(ANY_SOURCE, Tags.ROLL_CALL, patience.inWholeNanoseconds)?.let(::decodeNote)

    private fun send(rank: Int, note: RollCallNote) = line.transport.send(rank, Tags.ROLL_CALL, note.encode())
}

/**
 * One rank waiting for one message, which bears [tag] and comes from member [source], in a call that began at [since].
 * [number] is the call's, or [NO_NUMBER] if only the two ranks take part.
 */
internal class Stay(
    val text: String,
    val members: Members,
    val tag: Int,
    val number: Long,
    val source: Int,
    since: TimeMark,
    val limit: Duration,
) {
    private var end = since + limit

    fun isAt(tag: Int, number: Long): Boolean = number != NO_NUMBER && number == this.number && tag == this.tag

    /** The members that may be missing. */
    fun awaited(): List<Int> = if (number == NO_NUMBER) listOf(source) else members.ranks.indices - members.rank

    /** When the limit has passed, rank 0 may hold a roll call, a little later rank 1, then 2 and 3, then 4 to 7. */
    fun isOverdue(answerTime: Duration): Boolean {
        val turn = if (number == NO_NUMBER) 0 else Int.SIZE_BITS - members.rank.countLeadingZeroBits()
        return (end + answerTime * turn).hasPassedNow()
    }

    /** Another rank holds the roll call: waits for its verdict, and longer than it can take. */
    fun leaveToOther(answerTime: Duration) {
        end = TimeSource.Monotonic.markNow() + answerTime * 2
    }

    companion object {
        const val NO_NUMBER = -1L
    }
}
