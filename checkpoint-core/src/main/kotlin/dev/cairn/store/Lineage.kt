package dev.cairn.store

import dev.cairn.event.inWords
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/** The history of a program or a checkpoint: its [run], and the [saves] of the run that led to it. */
internal data class Lineage(val run: String, val saves: SaveNumbers) {
    /** The save from which the program continues; null at its beginning. */
    val parent: Int? get() = saves.last

    /** Whether the checkpoint is in this program's own history: never one of another run, or of another branch. */
    operator fun contains(manifest: Manifest): Boolean = manifest.run == run && manifest.save in saves

    fun after(save: Int) = Lineage(run, saves + save)
}

/** Numbers of saves in ascending order, as text "1-5, 7". Consecutive numbers keep it short. */
@ConsistentCopyVisibility
@Serializable(with = SaveNumbersText::class)
internal data class SaveNumbers private constructor(private val ranges: List<IntRange>) {
    val last: Int? get() = ranges.lastOrNull()?.last

    operator fun contains(number: Int): Boolean = ranges.any { number in it }

    /** These and a later one. */
    operator fun plus(number: Int): SaveNumbers {
        val end = ranges.lastOrNull() ?: return SaveNumbers(listOf(number..number))
        require(number > end.last) { "save $number does not come after save ${end.last}" }
        val isNext = number == end.last + 1
        val before = if (isNext) ranges.dropLast(1) else ranges
        return SaveNumbers(before + listOf((if (isNext) end.first else number)..number))
    }

    /** As in manifests. */
    override fun toString(): String = inWords(ranges)

    companion object {
        val NONE = SaveNumbers(emptyList())
        private val shape = Regex("([0-9]{1,9})(?:-([0-9]{1,9}))?")

        /** All possible ancestors of a save whose manifest names only its [parent]. */
        fun upTo(parent: Int?): SaveNumbers = if (parent == null) NONE else SaveNumbers(listOf(1..parent))

        /** Null if [text] does not have the format of [toString]. */
        fun parse(text: String): SaveNumbers? {
            if (text.isEmpty()) return NONE
            val ranges = text.split(", ").map { rangeOf(it) ?: return null }
            val isAscending = ranges.zipWithNext().all { (before, after) -> after.first > before.last + 1 }
            return SaveNumbers(ranges).takeIf { isAscending && ranges.first().first > 0 }
        }

        private fun rangeOf(text: String): IntRange? {
            val (first, last) = shape.matchEntire(text)?.destructured ?: return null
            val range = first.toInt()..last.ifEmpty { first }.toInt()
            return range.takeUnless { it.isEmpty() }
        }
    }
}

internal object SaveNumbersText : KSerializer<SaveNumbers> {
    override val descriptor = PrimitiveSerialDescriptor("dev.cairn.SaveNumbers", PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: SaveNumbers) = encoder.encodeString(value.toString())

    override fun deserialize(decoder: Decoder): SaveNumbers {
        val text = decoder.decodeString()
        return SaveNumbers.parse(text) ?: throw SerializationException("'$text' is not a list of saves like 1-5, 7")
    }
}
