package dev.cairn.proof.format

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.grid.RandomStreams
import dev.cairn.grid.Shape
import dev.cairn.house.needs
import dev.cairn.manifestOf
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.HexFormat
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/**
 * The checkpoint that docs/reference/checkpoint.md works through: its digests, one for each kind, and the bytes of a table of
 * contents. The reader in Python, which was written from that page, finds the same digests.
 */
class FormatDocSpec :
    FunSpec({
        quietly()
        val page = Path.of("../docs/reference/checkpoint.md").readLines()
        val directory = tempdir().toPath()
        val files = FileBlockStore()

        beforeSpec {
            directory.resolve("energies.txt").writeText("step 1\n")
            ranks(2) {
                checkpoints(
                    directory.resolve("example"),
                ) { example(this@ranks, directory.resolve("energies.txt")) }.use { it.save(1) }
            }
        }

        test("the page has the digest of an item of each kind") {
            val rows =
                page.mapNotNull {
                    Regex(
                        """\| `(\w+)` \|.*\| ([0-9a-f]{32}) \|""",
                    ).matchEntire(it)?.destructured
                }
            val found = manifestOf(files, directory.resolve("example"), 1).items
            rows.map { (kind, digest) -> kind to digest } shouldContainExactly found.map { it.kind to it.digest }
        }

        test("the page shows the table of contents of rank 1, byte by byte") {
            val start = page.indexOf("```hex")
            val shown =
                page
                    .drop(start + 1)
                    .takeWhile {
                        it != "```"
                    }.joinToString("") { it.substringBefore("  ").replace(" ", "") }
            Multifile.open(files, directory.resolve("example/000001/data.sion")).use { view ->
                val records = view.task(1).records()
                val table = ByteBuffer.allocate(records.size(0).toInt())
                records.read(0, 0, table)
                shown shouldBe HexFormat.of().formatHex(table.array())
            }
        }

        test(
            "the reader in Python finds the digests of the page",
        ).config(enabledOrReasonIf = needs { PythonReader.isThere }) {
            val found = PythonReader.read(directory.resolve("example/000001"))
            found.list("cells") shouldBe listOf("10", "11", "12", "13", "14", "15")
            found.column("rows", "x") shouldBe listOf("0.5", "-0.5")
            found.list("log") shouldBe listOf("00ff", "01")
        }
    })

/** Two ranks with an item of each kind. */
private fun StateBuilder.example(ranks: Communicator, energies: Path) {
    val rank = ranks.rank
    field("cells", Shape.of(2, 3), ElementType.INT) {
        block(Box.of(longArrayOf(rank.toLong(), 0), longArrayOf(1, 3)), IntArray(3) { 10 + 3 * rank + it })
    }
    table("rows") {
        column("id", { longArrayOf(1L + rank) }, {})
        column("x", { doubleArrayOf(0.5 - rank) }, {})
        positionFree()
    }
    replicated("time", Codecs.TEXT, { "ab" }, {})
    randomStreams("noise", RandomStreams(1))
    perRank("seen", Codecs.TEXT, { if (rank == 0) "a" else "b" }, {})
    accumulator("sum", Codecs.LONG, { 1L + rank }, {}, 0L, Long::plus)
    stream("log", { it.write(if (rank == 0) byteArrayOf(0, -1) else byteArrayOf(1)) }, {})
    appendedFile("energies", energies)
    generator("dice", "a coin", Codecs.TEXT, { if (rank == 0) "a" else "b" }, {})
    graph("links", { intArrayOf(rank) }, {})
}
