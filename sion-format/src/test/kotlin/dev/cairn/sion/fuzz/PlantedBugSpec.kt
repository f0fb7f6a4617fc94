package dev.cairn.sion.fuzz

import dev.cairn.house.Campaign
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.writeBytes
import kotlin.reflect.KClass

/**
 * The fuzzer would notice. Each bug is put into the reader's classes while they are loaded into the fuzzer's process,
 * and only there. The fuzzer starts from one multifile, in which the bug does not show. A fast build plants some of them.
 */
class PlantedBugSpec :
    FunSpec({
        val chosen = Campaign.PROGRAMS.someOf(BUGS)

        for (bug in BUGS) {
            test("${bug.name} is found").config(enabled = bug in chosen) {
                val plantedBug = bug.hook.java
                val run = FuzzRun(plantedBug.simpleName, ::unpackOne, MOST_EXECUTIONS, seed = 1, plantedBug)
                val finding = run.run().finding.shouldNotBeNull()
                println("${plantedBug.simpleName}: ${finding.lines().first()}")
                finding shouldContain bug.symptom
            }
        }

        test("the one multifile shows none of the bugs by itself") {
            ReaderTarget.read(Seeds.twoFiles()) shouldBe listOf(ReaderTarget.READ_THROUGH)
        }

        test("a missing bound in heads of logs is found").config(enabled = Campaign.PROGRAMS.isWhole) {
            val unpack = { directory: Path -> directory.resolve("every-kind").writeBytes(LogSeeds.everyKind()) }
            val bug = MissingHeadBound::class.java
            val run = FuzzRun(bug.simpleName, unpack, MOST_EXECUTIONS, seed = 1, bug, LogTarget::class)
            val finding = run.run().finding.shouldNotBeNull()
            println("${bug.simpleName}: ${finding.lines().first()}")
            finding shouldContain "BufferUnderflowException"
        }

        test("the log from which it starts shows no bug by itself") {
            LogTarget.read(HostileLog.of(LogSeeds.everyKind())) shouldBe "Sealed"
        }
    })

/** What [hook] plants, and what the fuzzer says when it has found it. */
private class Bug(
    val name: String,
    val hook: KClass<*>,
    val symptom: String,
)

private val BUGS =
    listOf(
        Bug("a length that is off by one", OffByOne::class, "BufferUnderflowException"),
        Bug("a size that overflows", OverflowingSize::class, "OutOfMemoryError"),
        Bug("a missing bound", MissingBound::class, "ArrayIndexOutOfBoundsException"),
        Bug("an endless loop", EndlessLoop::class, "TooMuchWork"),
        Bug("a path that leads out of the directory", EscapingPath::class, "PathEscape"),
    )

private fun unpackOne(directory: Path) = directory.resolve("two-files").writeBytes(Seeds.twoFiles().encoded())

private const val MOST_EXECUTIONS = 100_000L
