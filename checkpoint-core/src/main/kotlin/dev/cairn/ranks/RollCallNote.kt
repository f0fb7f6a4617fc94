package dev.cairn.ranks

import dev.cairn.event.RanksMissingException.Absentee
import dev.cairn.event.RollCall
import java.nio.ByteBuffer

/** A message of a roll call. [sender] is a rank of the transport. */
internal sealed interface RollCallNote {
    val sender: Int

    /** The question whether the receiver has reached the call with this [tag] and [number]. */
    class Question(override val sender: Int, val tag: Int, val number: Long) : RollCallNote {
        val id: String get() = "$sender/$tag/$number"
    }

    /**
     * The answer to question [id]: the present call of the sender, which waits there for rank [awaited] of the transport, and its last
     * news of others.
     */
    class Answer(
        override val sender: Int,
        val id: String,
        val hasCome: Boolean,
        val awaited: Int,
        val place: String,
        val sightings: Map<Int, String>,
    ) : RollCallNote

    /** The result of the roll call about the call with this [tag] and [number]. */
    class Verdict(override val sender: Int, val tag: Int, val number: Long, val rollCall: RollCall) : RollCallNote
}

internal fun RollCallNote.encode(): ByteBuffer = NOTE.encode(this)

internal fun decodeNote(bytes: ByteBuffer): RollCallNote = NOTE.decode(bytes)

private enum class NoteKind { QUESTION, ANSWER, VERDICT }

private val RollCallNote.kind: NoteKind
    get() =
        when (this) {
            is RollCallNote.Question -> NoteKind.QUESTION
            is RollCallNote.Answer -> NoteKind.ANSWER
            is RollCallNote.Verdict -> NoteKind.VERDICT
        }

private val QUESTION =
    Structure(RollCallNote.Question(0, 0, 0)) { RollCallNote.Question(u32(it.sender), u32(it.tag), u64(it.number)) }

private val SIGHTING = Structure(0 to "") { (rank, place) -> u32(rank) to text(place) }

private val ANSWER =
    Structure(RollCallNote.Answer(0, "", false, 0, "", emptyMap())) {
        RollCallNote.Answer(
            u32(it.sender),
            text(it.id),
            flag(it.hasCome),
            u32(it.awaited),
            text(it.place),
            list(it.sightings.toList(), SIGHTING).toMap(),
        )
    }

private val ABSENTEE =
    Structure(Absentee(0, "", "")) { Absentee(u32(it.rank), text(it.host), text(it.lastSeen)) }

private val ROLL_CALL =
    Structure(RollCall("", 0, emptyList(), "")) {
        RollCall(text(it.call), u32(it.presentCount), list(it.absentees, ABSENTEE), text(it.reason))
    }

private val VERDICT =
    Structure(RollCallNote.Verdict(0, 0, 0, ROLL_CALL.blank)) {
        RollCallNote.Verdict(u32(it.sender), u32(it.tag), u64(it.number), one(it.rollCall, ROLL_CALL))
    }

private val NOTE =
    MessageFields<RollCallNote>("a note of a roll call", QUESTION.blank) { note ->
        when (choice(NoteKind.entries, note.kind)) {
            NoteKind.QUESTION -> one(note as? RollCallNote.Question ?: QUESTION.blank, QUESTION)
            NoteKind.ANSWER -> one(note as? RollCallNote.Answer ?: ANSWER.blank, ANSWER)
            NoteKind.VERDICT -> one(note as? RollCallNote.Verdict ?: VERDICT.blank, VERDICT)
        }
    }
