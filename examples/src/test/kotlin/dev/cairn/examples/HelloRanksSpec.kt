package dev.cairn.examples

import dev.cairn.sion.Multifile
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Files

class HelloRanksSpec :
    FunSpec({
        val path = tempdir().toPath().resolve("hello-ranks.sion")

        /** The numbers of tasks are dealt out like cards. */
        fun <T> dealt(taskCount: Int, readerCount: Int, card: (Int) -> T) =
            List(readerCount) { reader -> (0 until taskCount).filter { it % readerCount == reader }.map(card) }

        for (readerCount in listOf(1, 2, 6, 7)) {
            test("what six Java ranks wrote is read by $readerCount") {
                HelloRanks.write(path, 6)

                HelloRanks.read(path, readerCount) shouldBe
                    dealt(6, readerCount) { "rank $it lays stone ${20 + 30 * it}" }
            }

            test("what six Kotlin ranks wrote is read by $readerCount") {
                val greetings = List(6) { "greeting $it ".repeat(100 * it) }
                writeGreetingsTogether(path, greetings)

                readGreetingsTogether(path, readerCount) shouldBe dealt(6, readerCount, greetings::get)
            }
        }

        test("every rank's stones lie in its own task, in as many blocks as they need") {
            HelloRanks.write(path, 3)

            Multifile.open(path).use { view ->
                List(3) {
                    view
                        .task(it)
                        .stream()
                        .readAllBytes()
                        .decodeToString()
                        .lines()
                } shouldContainExactly
                    List(3) { rank -> List(20 + 30 * rank) { "rank $rank lays stone ${it + 1}" } }
            }
        }

        test("the program says what it did") {
            printed { HelloRanks.main(arrayOf(path.toString())) }.lines() shouldContainExactly
                listOf(
                    "6 ranks wrote $path.",
                    "Rank 0 of 2 found [rank 0 lays stone 20, rank 2 lays stone 80, rank 4 lays stone 140].",
                    "Rank 1 of 2 found [rank 1 lays stone 50, rank 3 lays stone 110, rank 5 lays stone 170].",
                    "",
                )
        }

        afterTest { Files.deleteIfExists(path) }
    })
