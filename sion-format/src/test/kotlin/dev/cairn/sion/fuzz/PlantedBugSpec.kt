package dev.cairn.sion.fuzz

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.writeBytes

/**
 * The fuzzer would notice. Each bug is put into the reader's classes while they are loaded into the fuzzer's process,
 * and only there. The fuzzer starts from one multifile, in which the bug does not show.
 */
class PlantedBugSpec :
    FunSpec({
        fun shouldFind(
            bug: Class<*>,
            symptom: String,
        ) {
            val campaign = Campaign(bug.simpleName, ::unpackOne, MOST_EXECUTIONS, seed = 1, plantedBug = bug)
            val finding = campaign.run().finding.shouldNotBeNull()
            println("${bug.simpleName}: ${finding.lines().first()}")
            finding shouldContain symptom
        }

        test("a length that is off by one is found") { shouldFind(OffByOne::class.java, "BufferUnderflowException") }

        test("a size that overflows is found") { shouldFind(OverflowingSize::class.java, "OutOfMemoryError") }

        test("a missing bound is found") { shouldFind(MissingBound::class.java, "ArrayIndexOutOfBoundsException") }

        test("an endless loop is found") { shouldFind(EndlessLoop::class.java, "TooMuchWork") }

        test("a path that leads out of the directory is found") { shouldFind(EscapingPath::class.java, "PathEscape") }

        test("the one multifile shows none of the bugs by itself") {
            ReaderTarget.read(Seeds.twoFiles()) shouldBe listOf(ReaderTarget.READ_THROUGH)
        }
    })

private fun unpackOne(directory: Path) = directory.resolve("two-files").writeBytes(Seeds.twoFiles().encoded())

private const val MOST_EXECUTIONS = 100_000L
