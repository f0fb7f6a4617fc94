package dev.cairn.store

import dev.cairn.state.ValueSchema
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Required
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import java.nio.ByteBuffer
import java.time.Instant
import java.time.format.DateTimeParseException

/**
 * The description of a checkpoint, which binds its parts together. A checkpoint exists as soon as its manifest does.
 *
 * The order of the properties is the order in the file. Nothing here grows with the number of ranks or files. [run],
 * [parent] and [save] give its position in the history of a run, [history] lists all saves that led to it, [contents]
 * is the hash of all ranks' tables of contents, in hexadecimal digits. [hints] are for messages only: files may be
 * rewritten without invalidating a checkpoint. [isFinished] says that the program ended the loop of [phase] there,
 * although it has more steps, and [phasesBefore] lists the loops that had ended; null if the program keeps its own
 * loops. [parameters] are the values with which the program was started.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal data class Manifest(
    val run: String,
    val parent: Int?,
    val save: Int,
    val step: Long,
    val phase: String,
    val rankCount: Int,
    @Serializable(with = InstantText::class) val time: Instant,
    val contents: String,
    val items: List<ManifestItem>,
    val provenance: Map<String, String>,
    val hints: DataHints,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val isFinished: Boolean = false,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val phasesBefore: List<String>? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val parameters: List<Parameter> = emptyList(),
    @Required val history: SaveNumbers = SaveNumbers.upTo(parent),
    @Required val tasks: List<TaskCount> = TaskCount.of(rankCount),
    @Required val format: FormatVersion = FormatVersion.written(parameters),
) {
    init {
        require(save > 0) { "a save number is at least 1, not $save" }
        require(parent == null || parent in 1 until save) { "the parent of save $save is an earlier one, not $parent" }
        require(history.last == parent) { "the history of a save ends with its parent $parent, not as '$history'" }
        require(rankCount > 0) { "a rank count is at least 1, not $rankCount" }
        val names = items.map { it.name } + parameters.map { it.name }
        require(names.size == names.toSet().size) {
            "the names of items and parameters differ, but these do not: $names"
        }
        require(parameters.isEmpty() || format.hasParameters) { "a manifest of format $format has no parameters" }
        TaskCount.check(tasks, rankCount)
        val phases = phasesBefore.orEmpty() + phase
        require(phases.size == phases.toSet().size) { "the loops of a program have different phases, but not $phases" }
    }

    /** The lineage of a program that has restored it. */
    val lineage: Lineage get() = Lineage(run, history).after(save)

    /** The task that holds the tables of contents of all ranks. */
    val indexTask: Int get() = tasks.dropLast(1).sumOf { it.count }

    /** Each item with the first of its keys. */
    fun keyed(): List<Pair<ManifestItem, Int>> = items.zip(items.runningFold(1) { key, item -> key + item.keyCount })

    companion object {
        /** The entry of [provenance] with the number of physical files that the ranks of the save chose, and why. */
        const val FILES = "files"

        /** The entry of [provenance] with the name of a program whose loop Cairn keeps. */
        const val PROGRAM = "program"
    }

    /** The name for people of the item or table column with [key]. */
    fun nameOf(key: Int): String {
        val (item, first) = keyed().last { (_, first) -> first <= key }
        return if (item.columns.isEmpty()) item.name else "${item.name}.${item.columns[key - first].name}"
    }
}

/**
 * One item of state, as all ranks together saved it. [layout] is free text of the item's kind: its distribution, and
 * its rule.
 *
 * [schema] describes the parts of a value; values of format 1.0 and of codecs without schemas have none.
 *
 * The items have the keys from 1 on in their order: one for each item, but for a table one for each of its [columns].
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal data class ManifestItem(
    val name: String,
    val kind: String,
    val elementType: String,
    val shape: List<Long>,
    val elementCount: Long,
    val byteCount: Long,
    val digest: String,
    val layout: Map<String, String> = emptyMap(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val schema: ValueSchema? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val columns: List<ManifestColumn> = emptyList(),
) {
    init {
        require(
            elementCount >= 0 && byteCount >= 0 && shape.all { it >= 0 },
        ) { "item $name has a negative size: $this" }
    }

    val keyCount get() = maxOf(1, columns.size)
}

/**
 * One column of a table, or a part of one.
 *
 * @property constants the names that the numbers in it refer to, for a column of constants
 * @property text the text of which it is a part, for a column of texts
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal data class ManifestColumn(
    val name: String,
    val elementType: String,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val constants: List<String> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val text: TextPart? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val listsOf: String? = null,
) {
    /** The program's name of the column. */
    val title: String get() = text?.column ?: listsOf ?: name

    /** Whether it is the first of those of its title. */
    val isFirst: Boolean get() = listsOf == null && (text?.part ?: 0) == 0
}

/** Eight bytes of each text of [column], from those of number 8 · [part] on; a text has at most [atMost] bytes. */
@Serializable
internal data class TextPart(val column: String, val part: Int, val atMost: Int)

/**
 * The number of tasks of a [role] in the data. Tasks follow one another in the order of the manifest: those of the
 * ranks come first, so that rank and task have the same number, and the index comes last.
 */
@Serializable
internal data class TaskCount(val role: String, val count: Int) {
    override fun toString(): String = "$count of the role $role"

    companion object {
        const val RANK = "rank"
        const val INDEX = "index"

        /** The tasks of [rankCount] ranks. */
        fun of(rankCount: Int) = listOf(TaskCount(RANK, rankCount), TaskCount(INDEX, 1))

        fun check(tasks: List<TaskCount>, rankCount: Int) {
            require(tasks.firstOrNull() == TaskCount(RANK, rankCount) && tasks.last() == TaskCount(INDEX, 1)) {
                "the tasks begin with $rankCount of the role $RANK and end with 1 of the role $INDEX, not $tasks"
            }
            require(tasks.map { it.role }.toSet().size == tasks.size && tasks.all { it.count > 0 }) {
                "each role is named once and has at least 1 task, not $tasks"
            }
            require(tasks.sumOf { it.count.toLong() } <= Int.MAX_VALUE) { "the data have too many tasks: $tasks" }
        }
    }
}

/** The files of the data when they were saved: the first file, their number, and their total size. */
@Serializable
internal data class DataHints(val firstFile: String, val fileCount: Int, val byteCount: Long)

/** A manifest as it lies in the store. Two with equal [digest] are the same, byte for byte. */
internal data class StoredManifest(val manifest: Manifest, val digest: String, val bytes: ByteBuffer) {
    fun toBytes(): ByteArray = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
}

/** A time as people and other programs read it: 2025-01-31T12:00:00Z. */
internal object InstantText : KSerializer<Instant> {
    /** Only years of four digits: others are implausible, and sums could overflow near the largest instant. */
    private val shape = Regex("[0-9]{4}-[-0-9T:.]+Z")

    override val descriptor = PrimitiveSerialDescriptor("dev.cairn.Instant", PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: Instant) = encoder.encodeString(value.toString())

    override fun deserialize(decoder: Decoder): Instant {
        val text = decoder.decodeString()
        if (!shape.matches(text)) throw noMoment(text)
        return try {
            Instant.parse(text)
        } catch (unfit: DateTimeParseException) {
            throw noMoment(text, unfit)
        }
    }

    private fun noMoment(text: String, cause: Exception? = null) =
        SerializationException("'$text' is not a time like 2025-01-31T12:00:00Z", cause)
}
