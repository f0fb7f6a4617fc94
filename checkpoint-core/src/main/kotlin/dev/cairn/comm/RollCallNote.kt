package dev.cairn.comm

import dev.cairn.failure.RollCall
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.DataInputStream
import java.io.DataOutputStream
import java.nio.ByteBuffer

/** What ranks write to each other in a roll call. [sender] is a rank of the transport. */
internal sealed interface RollCallNote {
    val sender: Int

    /** Have you come to the call that has this [tag] and [number]? */
    class Question(
        override val sender: Int,
        val tag: Int,
        val number: Long,
    ) : RollCallNote {
        val id: String get() = "$sender/$tag/$number"
    }

    /** The answer to question [id]: where the sender is, and what it heard of others. */
    class Answer(
        override val sender: Int,
        val id: String,
        val hasCome: Boolean,
        val place: String,
        val sightings: Map<Int, String>,
    ) : RollCallNote

    /** What the roll call about the call that has this [tag] and [number] has found. */
    class Verdict(
        override val sender: Int,
        val tag: Int,
        val number: Long,
        val rollCall: RollCall,
    ) : RollCallNote
}

internal fun RollCallNote.encode(): ByteBuffer {
    val bytes = ByteArrayOutputStream()
    val out = DataOutputStream(bytes)
    out.writeInt(sender)
    when (this) {
        is RollCallNote.Question -> out.write(this)
        is RollCallNote.Answer -> out.write(this)
        is RollCallNote.Verdict -> out.write(this)
    }
    return ByteBuffer.wrap(bytes.toByteArray())
}

internal fun decodeNote(bytes: ByteBuffer): RollCallNote {
    val content = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
    val input = DataInputStream(ByteArrayInputStream(content))
    val sender = input.readInt()
    return when (val kind = input.readByte().toInt()) {
        QUESTION -> {
            RollCallNote.Question(sender, input.readInt(), input.readLong())
        }

        ANSWER -> {
            RollCallNote.Answer(sender, input.readUTF(), input.readBoolean(), input.readUTF(), input.readPlaces())
        }

        VERDICT -> {
            RollCallNote.Verdict(sender, input.readInt(), input.readLong(), input.readRollCall())
        }

        else -> {
            error(
                "rank $sender sent a note of unknown kind $kind in a roll call. Let all ranks run the same version",
            )
        }
    }
}

private const val QUESTION = 0
private const val ANSWER = 1
private const val VERDICT = 2

private fun DataOutputStream.write(question: RollCallNote.Question) {
    writeByte(QUESTION)
    writeInt(question.tag)
    writeLong(question.number)
}

private fun DataOutputStream.write(answer: RollCallNote.Answer) {
    writeByte(ANSWER)
    writeUTF(answer.id)
    writeBoolean(answer.hasCome)
    writeUTF(answer.place)
    writeInt(answer.sightings.size)
    answer.sightings.forEach { (rank, place) ->
        writeInt(rank)
        writeUTF(place)
    }
}

private fun DataOutputStream.write(verdict: RollCallNote.Verdict) {
    writeByte(VERDICT)
    writeInt(verdict.tag)
    writeLong(verdict.number)
    writeUTF(verdict.rollCall.call)
    writeInt(verdict.rollCall.presentCount)
    writeUTF(verdict.rollCall.reason)
    writeInt(verdict.rollCall.absentees.size)
    verdict.rollCall.absentees.forEach {
        writeInt(it.rank)
        writeUTF(it.host)
        writeUTF(it.lastSeen)
    }
}

private fun DataInputStream.readPlaces(): Map<Int, String> = List(readInt()) { readInt() to readUTF() }.toMap()

private fun DataInputStream.readRollCall(): RollCall {
    val call = readUTF()
    val presentCount = readInt()
    val reason = readUTF()
    val absentees = List(readInt()) { RollCall.Absentee(readInt(), readUTF(), readUTF()) }
    return RollCall(call, presentCount, absentees, reason)
}
