package dev.cairn.proof.format

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path
import java.security.DigestInputStream
import java.security.MessageDigest
import java.util.HexFormat
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteExisting
import kotlin.io.path.inputStream
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.moveTo
import kotlin.io.path.name

/** What the C library's tools make of our checkpoints. Expected are the bytes that a formula gives, never what was read. */
class CToolsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        val files = FileBlockStore()

        suspend fun saved(name: String, fileCount: Int): Path {
            val store = directory.resolve("$name.cairn")
            ranks(RANKS) {
                Logbook.of(this).open(this, store, fileCount).use { it.save(1) }
            }
            return store
        }

        fun withTools(name: String, use: suspend () -> Unit) =
            test(name).config(enabledOrReasonIf = needs { CTools.areThere }) { use() }

        withTools("siondump lists what each rank has of each item, and the tables of contents") {
            for (fileCount in 1..RANKS) {
                val tasks = CTools.keys(SaveNames.data(saved("dump-$fileCount", fileCount), 1))
                tasks.size shouldBe RANKS + 1
                for (rank in 0 until RANKS) {
                    tasks[rank].last().first shouldBe 0
                    tasks[rank].dropLast(1).groupBy({ it.first }, { it.second }).mapValues { it.value.sum() } shouldBe
                        Logbook.values(rank).mapValues { it.value.size.toLong() }
                }
                tasks.last().map { it.first } shouldBe listOf(0)
            }
        }

        withTools("sionsplit yields a raw file for each rank and item, byte for byte") {
            for (fileCount in 1..RANKS) {
                val data = SaveNames.data(saved("split-$fileCount", fileCount), 1)
                val pieces = directory.resolve("pieces-$fileCount").createDirectories()
                CTools.split(data, pieces)
                for (rank in 0 until RANKS) {
                    for ((key, bytes) in Logbook.values(rank)) {
                        sha256(CTools.piece(pieces, rank, key)) shouldBe sha256(bytes)
                    }
                }
                pieces.listDirectoryEntries().count { !it.name.endsWith("_000000000000") } shouldBe
                    (0 until RANKS).sumOf { Logbook.values(it).size }
            }
        }

        withTools("a checkpoint of several files that went through siondefrag is adopted and restored on other ranks") {
            for (fileCount in 1..RANKS) {
                val store = saved("defrag-$fileCount", fileCount)
                val data = SaveNames.data(store, 1)
                val tidy = directory.resolve("tidy-$fileCount.sion")
                CTools.defragment(data, tidy)
                data.parent.listDirectoryEntries("data.sion*").forEach { it.deleteExisting() }
                tidy.moveTo(data)

                val adopted = HeatCheckpoints(files).cairn("adopt", "$store/1")
                adopted.text shouldContain "good, and bound to 1 file"
                for (readers in listOf(1, 2, 3, 5)) {
                    ranks(readers) {
                        val logbook = Logbook.blank(this)
                        logbook.open(this, store, 1).use { it.restore() } shouldBe Restored(1, 1, RANKS)
                        logbook.isWhole(this) shouldBe true
                    }
                }
            }
        }

        test("siondump and sionsplit read a value of more than 2 GiB (-Dcairn.campaigns=full)")
            .config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.VAST_MESSAGES.isOn) and CTools.areThere },
            ) {
                val store = directory.resolve("large.cairn")
                val half = LongArray(HALF) { it * 0x9e3779b97f4a7c15uL.toLong() }
                ranks(2) { large(store, half).use { it.save(1) } }
                val data = SaveNames.data(store, 1)
                val size = 2L * HALF * Long.SIZE_BYTES
                CTools.keys(data).first().first() shouldBe (1 to size)
                val pieces = directory.resolve("large").createDirectories()
                CTools.split(data, pieces)
                val expected = sha256Of { digest -> repeat(2) { digest.updateAll(half) } }
                println("CToolsSpec: a value of $size bytes has the SHA-256 $expected")
                sha256(CTools.piece(pieces, 0, 1)) shouldBe expected
            }
    })

private const val RANKS = 3

/** Half of a value of 2 GiB and 16 bytes, in elements. */
private const val HALF = (1 shl 27) + 1

/** Collective: all of a large field is rank 0's, in two boxes of the same content. */
private suspend fun Communicator.large(store: Path, half: LongArray): Checkpoints =
    checkpoints(store) {
        field("n", Shape.of(2, HALF.toLong()), ElementType.LONG) {
            if (rank == 0) for (row in 0L..1L) block(Box.of(longArrayOf(row, 0), longArrayOf(1, HALF.toLong())), half)
        }
    }

/** State whose bytes in a checkpoint are a formula of the rank: a field, a number, a text, and a stream of several frames. */
private class Logbook(ranks: Communicator, private var entries: ByteArray, private val fill: (Long) -> Double) {
    private val box = Decomposition.rows(SHAPE, ranks.size).boxes(ranks.rank).firstOrNull()
    private val cells = DoubleArray(box?.cellCount()?.toInt() ?: 0) { fill(SHAPE.index(*box!!.cell(it.toLong()))) }
    private var number = if (entries.isEmpty()) 0L else NUMBER
    private var name = if (entries.isEmpty()) "" else name(ranks.rank)

    suspend fun open(ranks: Communicator, store: Path, fileCount: Int): Checkpoints =
        ranks.checkpoints(
            store,
            CheckpointOptions {
                files = DataFiles.count(fileCount)
                blockSize = 512
            },
        ) {
            field("u", SHAPE, ElementType.DOUBLE) { box?.let { block(it, cells) } }
            replicated("number", Codecs.LONG, { number }, { number = it })
            perRank("name", Codecs.TEXT, { name }, { name = it }, PerRankRule.Merge { it.joinToString("") })
            stream("entries", { it.write(entries) }, { take(listOf(it)) }, StreamRule.Deal(::take))
        }

    private fun take(sources: List<InputStream>) {
        entries = sources.map { it.readAllBytes() }.fold(byteArrayOf(), ByteArray::plus)
    }

    /** Collective: whether this rank has its share of what [RANKS] ranks had. */
    fun isWhole(ranks: Communicator): Boolean {
        val share = RANKS * ranks.rank / ranks.size until RANKS * (ranks.rank + 1) / ranks.size
        return cells.indices.all { cells[it] == cell(SHAPE.index(*box!!.cell(it.toLong()))) } &&
            number == NUMBER &&
            name == share.joinToString("") { name(it) } &&
            entries.contentEquals(share.map { entries(it) }.fold(byteArrayOf(), ByteArray::plus))
    }

    companion object {
        private val SHAPE: Shape = Shape.of(9, 700)
        private const val NUMBER = 0x1122334455667788L

        fun of(ranks: Communicator) = Logbook(ranks, entries(ranks.rank), ::cell)

        fun blank(ranks: Communicator) = Logbook(ranks, byteArrayOf()) { -1.0 }

        /** What one of [RANKS] ranks has under each key; nothing has no key. */
        fun values(rank: Int): Map<Int, ByteArray> {
            val cells = (rank * SHAPE.cellCount() / RANKS until (rank + 1) * SHAPE.cellCount() / RANKS).map(::cell)
            val field = ByteBuffer.allocate(cells.size * Double.SIZE_BYTES).order(LITTLE_ENDIAN)
            cells.forEach(field::putDouble)
            val number = ByteBuffer.allocate(Long.SIZE_BYTES).order(LITTLE_ENDIAN).putLong(NUMBER)
            return listOf(
                field.array(),
                number.array().takeIf { rank == 0 } ?: byteArrayOf(),
                name(rank).encodeToByteArray(),
                entries(rank),
            ).withIndex()
                .filter { it.value.isNotEmpty() }
                .associate { it.index + 1 to it.value }
        }

        private fun cell(index: Long) = 1.0 / (index + 3)

        private fun name(rank: Int) = "rank $rank;"

        /** More than two frames on rank 1, and few bytes on the others. */
        private fun entries(rank: Int): ByteArray {
            val size = if (rank == 1) 2_500_000 else 17 + rank
            return ByteArray(size) { (it * 31 + rank).toByte() }
        }
    }
}

private fun sha256(bytes: ByteArray): String = sha256Of { it.update(bytes) }

private fun sha256(file: Path): String =
    sha256Of { digest ->
        DigestInputStream(
            file.inputStream().buffered(1 shl 20),
            digest,
        ).use { it.transferTo(OutputStream.nullOutputStream()) }
    }

private fun sha256Of(update: (MessageDigest) -> Unit): String =
    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").also(update).digest())

private fun MessageDigest.updateAll(values: LongArray) {
    val bytes = ByteBuffer.allocate(1 shl 16).order(LITTLE_ENDIAN)
    for (value in values) {
        if (!bytes.hasRemaining()) update(bytes.flip()).also { bytes.clear() }
        bytes.putLong(value)
    }
    update(bytes.flip())
}
