package dev.cairn.cli

import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.fixture.content
import dev.cairn.store.SaveNames
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import kotlin.random.Random

/** What `cairn explain` says a restart would do is what a restart does. */
class ExplainSpec :
    FunSpec({
        quietly()

        test("a rank's own table of contents, which a restart does not read, decides nothing; verify names it") {
            val count = Counting().apply { run(1, 2, 3) }
            count.flip(count.file(3, SaveNames.DATA), count.ownTable(3) + 1)

            count.cairn("explain", "heat.cairn").lines.last() shouldBe "A restart continues from save 3."
            count.run()?.number shouldBe 3
            count.cairn("verify", "heat.cairn", "3").run {
                exitCode shouldBe 1
                text shouldContain "rank 0"
            }
        }

        test("whichever byte of the head of the data flips, explain names the save from which a restart continues") {
            val count = Counting().apply { run(1, 2) }
            val data = count.file(2, SaveNames.DATA)
            val bytes = count.files.open(data, Access.READ).use { it.content() }
            for (position in (0 until HEAD_SIZE).filter { bytes[it] != 0.toByte() }) {
                count.flip(data, position)
                withClue("byte $position of $data") {
                    val said = count.cairn("explain", "heat.cairn").lines.last()
                    said shouldBe "A restart continues from save ${count.run()?.number}."
                }
                count.flip(data, position)
            }
        }

        test("whatever bit of the newest save flips, explain names the save from which a restart continues") {
            val seed = Campaign.seed
            println("ExplainSpec: seed $seed")
            val random = Random(seed)
            val count = Counting().apply { run(1, 2) }
            val data = count.file(2, SaveNames.DATA)
            val manifest = count.file(2, SaveNames.MANIFEST)
            val taken = mutableMapOf<Int?, Int>()
            repeat(150) { round ->
                val file = if (round % 5 == 0) manifest else data
                val bytes = count.files.open(file, Access.READ).use { it.content() }
                val written = bytes.indices.filter { bytes[it] != 0.toByte() }
                val position = written[random.nextInt(written.size)]
                count.flip(file, position)
                withClue("byte $position of $file, seed $seed") {
                    val said = count.cairn("explain", "heat.cairn").lines.last()
                    val restored = count.run()?.number
                    said shouldBe "A restart continues from save $restored."
                    taken.merge(restored, 1, Int::plus)
                }
                count.flip(file, position)
            }
            println("ExplainSpec: restored $taken")
            taken.keys shouldNotBe setOf(2)
        }
    })

/** Magic, versions, flags and sizes at the front of a multifile, and the names behind them. */
private const val HEAD_SIZE = 128

/** Where the table of contents of rank 0 begins in its own chunk, which comes before the index. */
private fun Counting.ownTable(number: Int): Int {
    val table =
        StoredCheckpoints(HEAT, files).open(number).use { opened ->
            val encoded =
                opened.state.contents.tables[0]
                    .encode()
            ByteArray(encoded.remaining()).also(encoded::get)
        }
    val bytes = files.open(file(number, SaveNames.DATA), Access.READ).use { it.content() }
    return (0..bytes.size - table.size).first { bytes.copyOfRange(it, it + table.size).contentEquals(table) }
}
