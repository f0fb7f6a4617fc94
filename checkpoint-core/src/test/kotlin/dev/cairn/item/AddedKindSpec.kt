package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.readLines

/** Saves, restores, refuses and plans a kind of which no file but this one knows. */
class AddedKindSpec :
    FunSpec({
        quietly()
        val directory = Path.of("tally.cairn")

        /** What [writers] ranks have saved, of which rank 0 counted 1, rank 1 counted 2, and so on. */
        suspend fun saved(writers: Int, rule: RankChange): SimulatedDisk {
            val disk = SimulatedDisk()
            ranks(writers) {
                val tally = TallyItem(rank + 1L, rule)
                checkpoints(directory, files = disk.host(host)) { tally(tally) }.use { it.save(1) }
            }
            return disk
        }

        /** What each of [readers] ranks has counted when it has restored what [writers] ranks saved. */
        suspend fun restored(writers: Int, readers: Int, rule: RankChange): List<Long> {
            val disk = saved(writers, rule)
            return ranks(readers) {
                val tally = TallyItem(-1, rule)
                checkpoints(directory, files = disk.host(host)) { tally(tally) }.use { it.restore()?.step shouldBe 1L }
                tally.count
            }
        }

        test("each rank gets its own bytes back, and other ranks share them as the kind says") {
            restored(writers = 3, readers = 3, RankChange.MERGE) shouldBe listOf(1L, 2L, 3L)
            restored(writers = 3, readers = 2, RankChange.MERGE) shouldBe listOf(1L, 5L)
            restored(writers = 2, readers = 3, RankChange.MERGE) shouldBe listOf(0L, 1L, 2L)
        }

        test("an item without a rule is refused in the words of its kind, and one that is dropped stays as it is") {
            restored(writers = 3, readers = 2, RankChange.DROP) shouldBe listOf(-1L, -1L)
            restored(writers = 3, readers = 3, RankChange.REFUSE) shouldBe listOf(1L, 2L, 3L)
            val disk = saved(writers = 3, RankChange.REFUSE)
            ranks(2) {
                checkpoints(directory, files = disk.host(host)) { tally(TallyItem(-1, RankChange.REFUSE)) }.use {
                    shouldThrow<CheckpointException> { it.restore() }.cause!!.message shouldBe
                        "'tally' is a count of each rank, was saved by 3 ranks and has no rule for 2. Declare it " +
                        "with a sum, or restart on 3 ranks."
                }
            }
        }

        test("a kind that forgot the words of its refusal does not come back for want of them") {
            shouldThrow<IllegalStateException> {
                TallyItem(
                    1,
                    RankChange.REFUSE,
                    SilentKind,
                ).missingRule
            }.message shouldBe
                "'tally' is refused, but the kind silent has no text for that: please report this"
        }

        test("the kind plans the reads of a restart, and readers without the program find it in the list") {
            val files = saved(writers = 3, RankChange.MERGE).host("node0")
            StoredCheckpoints(directory, files).open(1).use { checkpoint ->
                val item = checkpoint.item("tally")
                val reads = RestartReads(oldCount = 3, newCount = 2)
                item.kind shouldBe "tally"
                item.described.knownKind() shouldBe null
                TallyKind.plan(item.records, reads).note shouldBe "those of 3 ranks dealt in order, and added up"
                reads.readers.map { it.readBytes } shouldBe listOf(8L, 16L)
            }
        }

        test("the page of the format has the kinds that there are") {
            val page = Path.of("..", "docs", "reference", "checkpoint.md").readLines()
            val rows = page.dropWhile { it != "| kind | on each rank | elementCount |" }.drop(2)
            val names = rows.takeWhile { it.startsWith("|") }.map { it.split('`')[1] }
            ITEM_KINDS.map { it.name }.sorted() shouldBe names.sorted()
        }
    })

private fun StateBuilder.tally(item: TallyItem) = state.add(item)

/** A count of each rank's own; another number of ranks adds up those that are dealt to it. */
private class TallyItem(
    var count: Long,
    override val rankChange: RankChange,
    override val kind: PrivateKind = TallyKind,
) : RankItem {
    override val id = ItemName("tally", 1, emptyList())
    override val schema get() = Schema(kind.name, "long", emptyList())

    override fun capture(rank: Int): Capture {
        val bytes = ByteBuffer.allocate(Long.SIZE_BYTES).putLong(count).array()
        return BytesCapture(key, bytes, kind.firstIndex(rank), isStored = true)
    }

    override fun restore(source: ItemSource): CellDigest {
        val share = source.share(kind)
        val bytes = share.map(source::bytes)
        count = bytes.sumOf { it.getLong(0) }
        return share.zip(bytes) { writer, each -> source.digest(each, kind.firstIndex(writer)) }.sum()
    }
}

private object TallyKind : PrivateKind("tally", StoredForm.RANK_VALUES, moved = "dealt in order, and added up") {
    override val missingRule = MissingRule("a count of each rank", "Declare it with a sum")

    override fun firstIndex(rank: Int): Long = rank.toLong() shl 32
}

private object SilentKind : PrivateKind("silent", StoredForm.RANK_VALUES, moved = "dealt in order")
