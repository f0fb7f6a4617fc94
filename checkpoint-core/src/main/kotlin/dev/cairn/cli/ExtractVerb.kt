package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.event.counted
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.reading.FieldWindows
import dev.cairn.reading.StoredBytes
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredField
import dev.cairn.reading.StoredItem
import dev.cairn.reading.StoredTable
import dev.cairn.reading.StoredUnknown
import dev.cairn.sion.store.BlockFile
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.Parameters
import java.nio.ByteBuffer
import java.nio.file.FileAlreadyExistsException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** `cairn extract`: an item as a file that other programs read. */
@Command(
    name = "extract",
    customSynopsis = [
        "cairn extract [-hV] [--json] [--missing=VALUE] [--rank=R]",
        "                     [--slice=START:END,...] DIR[/NUMBER] ITEM FILE",
    ],
    description = [
        "Writes a field or a table as a NumPy file, or any other item as its bytes.",
        "The file (.npy) has format 1.0, row-major and little-endian, for any number of ranks that stored the item. " +
            "A table becomes an array of records, those of rank 0 first; its texts and the names of its " +
            "constants are byte strings. Of an item that each rank has for itself, such as a stream, it holds the " +
            "bytes of one rank. With --slice it is a part of a field, or some rows of a table.",
    ],
    footer = [
        "",
        "Every byte is verified while it is copied. FILE must not exist; after a failure it does not exist " +
            "afterwards.",
        "",
        "Examples: cairn extract heat.cairn/7 u u.npy",
        "          cairn extract heat.cairn/7 u corner.npy --slice 0:10,:",
    ],
)
internal class ExtractVerb(shell: Shell) : ReportVerb<Extraction>(shell, Extraction.serializer()) {
    @Option(names = ["--rank"], paramLabel = "R", description = ["The rank, if each rank has bytes of its own."])
    private var rank: Int? = null

    @Option(
        names = ["--missing"],
        paramLabel = "VALUE",
        description = ["The value for cells of a sparse field that no rank stored."],
    )
    private var missing: String? = null

    @Option(
        names = ["--slice"],
        paramLabel = "START:END,...",
        description = [
            "The part: a range for each dimension, or one for the rows of a table. Either end may be left out.",
        ],
        converter = [Slice.Converter::class],
    )
    private var slice: Slice? = null

    @Parameters(index = "0", paramLabel = "DIR[/NUMBER]", description = [Place.OR_NEWEST])
    private lateinit var place: Place

    @Parameters(index = "1", paramLabel = "ITEM", description = ["The name of an item; 'cairn info' lists them."])
    private lateinit var name: String

    @Parameters(index = "2", paramLabel = "FILE", description = ["The file to write."])
    private lateinit var file: Path

    override fun report(): Extraction =
        shell.open(place).use { checkpoint ->
            val item = refusing { checkpoint.item(name) }
            requireOptionsOf(item)
            val wanted = (item as? StoredField)?.let(::wantedCells)
            val byteCount = writeNew { write(item, checkpoint, wanted, it) }
            Extraction("$checkpoint", name, "$file", byteCount, wanted?.missing?.count ?: 0)
        }

    override fun lines(report: Extraction): List<String> =
        listOf("${report.file}: ${counted(report.byteCount, "byte")} of '${report.item}' of ${report.checkpoint}") +
            if (report.missingCount == 0L) {
                emptyList()
            } else {
                listOf("${counted(report.missingCount, "cell")} that no rank stored, written as $missing")
            }

    /** An option that does not apply to this item is refused, not ignored. */
    private fun requireOptionsOf(item: StoredItem) {
        if (rank != null) requireOfRanks(item)
        if (missing != null && item !is StoredField) throw Refusal("'$name' is not a field: leave --missing out.")
        if (slice != null && item is StoredBytes) {
            throw Refusal("'$name' is kept as bytes, and has no slices: leave --slice out.")
        }
    }

    private fun requireOfRanks(item: StoredItem) {
        if (item is StoredUnknown) throw unknown(item)
        if (item is StoredBytes && item.isPrivate) return
        val kind =
            when (item) {
                is StoredField -> "a field of all ranks together"
                is StoredTable -> "a table of all ranks together"
                else -> "the same for all ranks"
            }
        throw Refusal("'$name' is $kind: leave --rank out.")
    }

    private fun write(item: StoredItem, checkpoint: StoredCheckpoint, wanted: WantedCells?, target: Appender) =
        when (item) {
            is StoredField -> writeField(item, checkNotNull(wanted), target)
            is StoredTable -> writeTable(item, target)
            is StoredBytes -> item.forEachFrame(rankOf(item, checkpoint)) { _, frame -> target.append(frame) }
            is StoredUnknown -> throw unknown(item)
        }

    private fun wantedCells(field: StoredField): WantedCells {
        field.requireSound()
        val box = slice?.let { refusing { it.of(field.shape) } } ?: field.shape.box()
        return WantedCells(box, MissingCells(field, box, missing))
    }

    private fun writeTable(table: StoredTable, target: Appender) {
        val shape = Shape.of(table.rowCount)
        val rows = slice?.let { refusing { it.of(shape) } }
        val records = NpyRecords(table)
        target.append(ByteBuffer.wrap(npyHeader(records.type, rows?.shape() ?: shape)))
        if (rows == null) {
            table.forEachWindow { target.append(records.pack(it)) }
        } else {
            table.forEachWindow(rows.start(0) until rows.end(0)) { target.append(records.pack(it)) }
        }
    }

    private fun writeField(field: StoredField, wanted: WantedCells, target: Appender) {
        target.append(ByteBuffer.wrap(npyHeader(cellType(field.elementType), wanted.box.shape())))
        val windows = FieldWindows(field, wanted.box)
        windows.forEach { window, cells ->
            wanted.missing.fill(windows, window, cells)
            target.append(cells)
        }
    }

    private fun rankOf(item: StoredBytes, checkpoint: StoredCheckpoint): Int {
        if (!item.isPrivate) return 0
        val rankCount = checkpoint.manifest.rankCount
        return rank?.takeIf { it in 0 until rankCount }
            ?: throw Refusal("each rank has its own '$name': choose one with --rank, 0 to ${rankCount - 1}.")
    }

    private fun unknown(item: StoredUnknown) =
        Refusal(
            "'$name' is a ${item.described.kind}, a kind that only a newer version can read: extract it with " +
                "that version.",
        )

    /** Creates and writes [file]; a half-written one is deleted. */
    private fun writeNew(writing: (Appender) -> Unit): Long {
        val opened = create()
        try {
            return opened.use { Appender(it).also(writing).size }
        } catch (failure: Exception) {
            shell.store().delete(file)
            throw failure
        }
    }

    private fun create(): BlockFile =
        try {
            shell.store().create(file)
        } catch (there: FileAlreadyExistsException) {
            throw Refusal("$file exists, and is not overwritten. Delete it or choose another name.", there)
        } catch (missing: NoSuchFileException) {
            throw Refusal("$file: its directory does not exist. Create it first.", missing)
        }
}

@Serializable
internal class Extraction(
    val checkpoint: String,
    val item: String,
    val file: String,
    val byteCount: Long,
    val missingCount: Long = 0,
)

/** The cells of a field that go into the file. */
private class WantedCells(val box: Box, val missing: MissingCells)

/** Writes a file from front to back. */
private class Appender(private val file: BlockFile) {
    var size = 0L
        private set

    fun append(bytes: ByteBuffer) {
        val count = bytes.remaining()
        file.write(size, bytes)
        size += count
    }
}
