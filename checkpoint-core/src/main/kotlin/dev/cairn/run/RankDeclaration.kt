package dev.cairn.run

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.grid.Box
import dev.cairn.item.CellItem
import dev.cairn.item.Declared
import dev.cairn.item.StateItem
import dev.cairn.options.Configuration
import dev.cairn.options.ConfiguredValue
import dev.cairn.options.Origin
import dev.cairn.options.Settings
import dev.cairn.options.decodedSettings
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.text
import dev.cairn.store.Parameter
import java.nio.ByteBuffer
import java.nio.file.Path
import java.security.MessageDigest

/**
 * The declaration of one rank that opens checkpoints. Settings and items must be the same on all ranks; the boxes of all ranks together
 * must make up the fields.
 *
 * @param isSent whether dedicated ranks write the saves
 */
internal class RankDeclaration(
    private val directory: Path,
    private val options: Configuration,
    private val isSent: Boolean,
    private val declared: Declared,
) {
    private val items = declared.inWords()
    private val parameters = declared.parameters
    private val settings: Configuration
        get() {
            val said = DEFAULTS.with(options)
            // The options of a simulation include it, with the origin that a refusal names.
            return if (said[Settings.DIR] == directory) said else said.with(Settings.DIR, directory, Origin.PROGRAM)
        }

    /** The boxes of this rank as its program names them now. */
    private val boxes: Map<CellItem, List<Box>> =
        declared.items.filterIsInstance<CellItem>().associateWith { field -> field.blocks().map { it.box } }

    /** The digest of settings and items, without the origins of settings. */
    private val digest: ByteBuffer by lazy {
        val words = settings.values().flatMap { listOf(it.name, it.value) } + "$isSent" + items
        val bytes = words.joinToString("\u0000").encodeToByteArray()
        ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes))
    }

    /** Whether [other] has the same settings and items, and so the same digest. */
    private fun agreesWith(other: RankDeclaration) =
        items == other.items && isSent == other.isSent && directory == other.directory && options == other.options

    /**
     * The message of [rank] of [rankCount] on [host] to rank 0.
     *
     * @param first the declaration of one rank of this process, whose digest serves all ranks with the same declaration; null if
     *   that rank failed
     */
    fun digested(rank: Int, rankCount: Int, host: String, first: RankDeclaration?): Digested {
        val own = if (first != null && agreesWith(first)) first.digest else digest
        val entries = boxes.map { (field, boxes) -> TableOfContents.Entry(field.key, 0, boxes, emptyList()) }
        return Digested(own, TableOfContents(0, rank, rankCount, entries).encode(), host)
    }

    /** Refuses concentrators that are not among [rankCount] ranks. */
    fun requireRanks(rankCount: Int) =
        (declared.items.map { it.concentrators } + options[Settings.CONCENTRATE]).forEach { it?.requireFit(rankCount) }

    /**
     * The hosts of [all] ranks, if all have the settings and items of this one; null otherwise. Refuses boxes that do not make up a
     * field.
     */
    fun hostsOfSame(all: List<Digested>): List<String>? {
        if (all.any { it.digest != digest }) return null
        if (boxes.isNotEmpty()) {
            val tables = all.map { TableOfContents.decode(it.boxes) }
            boxes.keys.forEach { it.requireTiled(tables) }
        }
        return all.map { it.host }
    }

    /** All ranks know that their boxes make up the fields. */
    fun acceptTiling() = boxes.forEach { (field, own) -> field.acceptTiling(own) }

    /** Settings and items, for [requireSame] on ranks that may have others. */
    fun inFull() = FullDeclaration(settings.encode(), isSent, items, parameters)

    /** Refuses a declaration of [rank] that differs from that of rank 0. */
    fun requireSame(rank: Int, ofRoot: FullDeclaration) {
        settings.values().zip(decodedSettings(ofRoot.settings)).forEach { (mine, its) -> requireSame(rank, mine, its) }
        if (isSent != ofRoot.isSent) {
            val (one, other) = if (isSent) rank to ROOT else ROOT to rank
            throw differing(
                "rank $one passes dedicated ranks on, and rank $other does not. Pass them on all ranks or on none.",
            )
        }
        if (items == ofRoot.items) return
        parameters.zip(ofRoot.parameters).forEach { (mine, its) -> requireSame(rank, mine, its) }
        throw differing(
            "rank $rank and rank $ROOT do not declare the same state. Rank $ROOT declares ${ofRoot.items}; " +
                "rank $rank declares $items. Declare the same items in the same order.",
        )
    }

    private fun requireSame(rank: Int, mine: ConfiguredValue, ofRoot: ConfiguredValue) {
        if (mine.value == ofRoot.value) return
        throw differing(
            "${mine.name} is ${mine.value} on rank $rank (${mine.origin}), but ${ofRoot.value} on rank $ROOT " +
                "(${ofRoot.origin}). Give all ranks the same settings: the same file, and the same environment.",
        )
    }

    private fun requireSame(rank: Int, mine: Parameter, ofRoot: Parameter) {
        if (mine.name != ofRoot.name || mine.isSame(ofRoot)) return
        val (own, other) = mine.shownBeside(ofRoot) to ofRoot.shownBeside(mine)
        throw differing(
            "the parameter '${mine.name}' is $own on rank $rank, but $other on rank $ROOT. Start all ranks with the " +
                "same parameters.",
            mine.name,
        )
    }

    private companion object {
        val DEFAULTS = Configuration.of(Settings.ALL)
    }
}

/** The ranks declare different settings or state, such as these [items]. */
private fun differing(sentence: String, vararg items: String) = InvalidDeclaration(Details(sentence, items.asList()))

/** The settings and items of a rank, in words, and its parameters. */
internal class FullDeclaration(
    val settings: String,
    val isSent: Boolean,
    val items: String,
    val parameters: List<Parameter>,
)

/** The digest of the settings and items of a rank, a table of contents with its boxes, and its host. */
internal class Digested(val digest: ByteBuffer, val boxes: ByteBuffer, val host: String)

internal val DIGESTED =
    Structure(Digested(NOTHING, NOTHING, "")) { Digested(bytes(it.digest), bytes(it.boxes), text(it.host)) }

private fun Declared.inWords(): String =
    (
        items.map { "the ${it.schema.kind} '${it.name}' of ${it.content()}" } +
            parameters.map { "the parameter $it" } +
            removed.map { "'$it' as removed" } +
            changing.map { "'$it' as a parameter that may change" } +
            formerly.map { (name, names) -> "'$name' as formerly ${names.joinToString { "'$it'" }}" } +
            listOfNotNull(beforeSave.inWords, afterRestore.inWords)
    ).joinToString()

private fun StateItem.content(): String {
    val all = listOfNotNull(valueType) + terms + formerNames.map { "formerly '$it'" }
    return schema.content + if (all.isEmpty()) "" else all.joinToString(prefix = " (", postfix = ")")
}
