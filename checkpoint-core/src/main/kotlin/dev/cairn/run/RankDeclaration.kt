package dev.cairn.run

import dev.cairn.comm.ROOT
import dev.cairn.comm.bytesOf
import dev.cairn.comm.textOf
import dev.cairn.config.Configuration
import dev.cairn.config.ConfiguredValue
import dev.cairn.config.Origin
import dev.cairn.config.decodedSettings
import dev.cairn.contents.TableOfContents
import dev.cairn.grid.Box
import dev.cairn.item.CellItem
import dev.cairn.item.Declared
import dev.cairn.item.StateItem
import dev.cairn.options.Settings
import java.nio.ByteBuffer
import java.nio.file.Path
import java.security.MessageDigest

/**
 * What one rank declares when it opens checkpoints. Settings and items must be the same on all ranks; the boxes of all ranks
 * together must make up the fields.
 */
internal class RankDeclaration(
    private val directory: Path,
    private val options: Configuration,
    private val declared: Declared,
) {
    private val items = declared.inWords()
    private val settings get() = NOTHING_SAID.with(options).with(Settings.DIR, directory, Origin.PROGRAM)

    /** The boxes of this rank as its program names them now. */
    private val boxes: Map<CellItem, List<Box>> =
        declared.items.filterIsInstance<CellItem>().associateWith { field -> field.blocks().map { it.box } }

    /** Of settings and items. A setting counts by its value, whoever says so. */
    private val digest by lazy {
        val said = settings.values().flatMap { listOf(it.name, it.value) } + items
        MessageDigest.getInstance("SHA-256").digest(said.joinToString("\u0000").encodeToByteArray())
    }

    /** Whether [other] has the same settings and items. Where it has, both have the same digest. */
    private fun agreesWith(other: RankDeclaration) =
        items == other.items && directory == other.directory && options == other.options

    /**
     * What [rank] of [rankCount] tells rank 0.
     *
     * @param first the declaration of one rank of this process, whose digest serves all that declare the same; null if that rank
     *   failed
     */
    fun toPayload(
        rank: Int,
        rankCount: Int,
        first: RankDeclaration?,
    ): ByteBuffer {
        val own = if (first != null && agreesWith(first)) first.digest else digest
        val entries = boxes.map { (field, boxes) -> TableOfContents.Entry(field.key, 0, boxes, emptyList()) }
        val table = TableOfContents(0, rank, rankCount, entries).encode()
        return ByteBuffer
            .allocate(DIGEST_SIZE + table.remaining())
            .put(own)
            .put(table)
            .flip()
    }

    /** Whether the [payloads] of all ranks tell the settings and items of this one. Refuses boxes that do not make up a field. */
    fun isThatOf(payloads: List<ByteBuffer>): Boolean {
        if (payloads.any { !it.hasRemaining() || it.slice(0, DIGEST_SIZE) != ByteBuffer.wrap(digest) }) return false
        if (boxes.isEmpty()) return true
        val tables = payloads.map { TableOfContents.decode(it.position(DIGEST_SIZE)) }
        boxes.keys.forEach { it.requireTiled(tables) }
        return true
    }

    /** All ranks know that their boxes make up the fields. */
    fun acceptTiling() = boxes.forEach { (field, own) -> field.acceptTiling(own) }

    /** Settings and items, for [requireSame] on ranks that may have others. */
    fun encode(): ByteBuffer = bytesOf("${settings.encode()}\n$items")

    /** Refuses what [rank] declares otherwise than rank 0, of which [ofRoot] is the encoded declaration. */
    fun requireSame(
        rank: Int,
        ofRoot: ByteBuffer,
    ) {
        val (settingsOfRoot, itemsOfRoot) = textOf(ofRoot).split("\n", limit = 2)
        settings.values().zip(decodedSettings(settingsOfRoot)).forEach { (mine, its) -> requireSame(rank, mine, its) }
        if (items == itemsOfRoot) return
        throw DeclarationsDifferException(
            "rank $rank and rank $ROOT do not declare the same state. Rank $ROOT declares $itemsOfRoot; rank $rank " +
                "declares $items. Declare the same items in the same order.",
        )
    }

    private fun requireSame(
        rank: Int,
        mine: ConfiguredValue,
        ofRoot: ConfiguredValue,
    ) {
        if (mine.value == ofRoot.value) return
        throw DeclarationsDifferException(
            "${mine.name} is ${mine.value} on rank $rank (${mine.origin}), but ${ofRoot.value} on rank $ROOT " +
                "(${ofRoot.origin}). Give all ranks the same settings: the same file, and the same environment.",
        )
    }

    private companion object {
        const val DIGEST_SIZE = 32
        val NOTHING_SAID = Configuration.of(Settings.ALL)
    }
}

private fun Declared.inWords(): String =
    (items.map { "the ${it.schema.kind} '${it.name}' of ${it.content()}" } + removed.map { "'$it' as removed" })
        .joinToString()

private fun StateItem.content(): String {
    val all = listOfNotNull(valueType) + terms + formerNames.map { "formerly '$it'" }
    return schema.content + if (all.isEmpty()) "" else all.joinToString(prefix = " (", postfix = ")")
}
