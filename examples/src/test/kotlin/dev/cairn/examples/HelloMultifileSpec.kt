package dev.cairn.examples

import dev.cairn.sion.Multifile
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Files

class HelloMultifileSpec :
    FunSpec({
        val path = tempdir().toPath().resolve("hello.sion")

        test("every task reads back the stones it laid") {
            HelloMultifile.write(path)

            for (task in 0 until 4) {
                val lines =
                    HelloMultifile
                        .read(path, task)
                        .decodeToString()
                        .lines()
                        .dropLast(1)
                lines shouldContainExactly List(20 + 30 * task) { "task $task lays stone ${it + 1}" }
            }
        }

        test("a task with more stones than a chunk holds grows by further blocks") {
            HelloMultifile.write(path)

            // Lines of 20 bytes, of 21 from stone 10 on, and of 22 from stone 100 on, in chunks of 512 bytes.
            val sizes = listOf(20, 50, 80, 110).map { 9 * 20 + (minOf(it, 99) - 9) * 21 + maxOf(it - 99, 0) * 22 }
            Multifile.open(path).use { view ->
                List(4) { view.task(it).size() } shouldContainExactly sizes.map { it.toLong() }
                List(4) { view.task(it).blockCount() } shouldContainExactly sizes.map { (it + 511) / 512 }
            }
        }

        test("the program says what it did") {
            printed { HelloMultifile.main(arrayOf(path.toString())) }.lines().first() shouldBe "4 tasks wrote $path."
        }

        test("the Kotlin twin reads the greetings it wrote") {
            val greetings = listOf("one", "", "three ".repeat(1000))
            writeGreetings(path, greetings)

            readGreetings(path) shouldContainExactly greetings
        }

        afterTest { Files.deleteIfExists(path) }
    })
