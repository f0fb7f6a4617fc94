package dev.cairn.sion.fuzz

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.writeBytes
import kotlin.reflect.KClass

/**
 * The fuzzer would notice. Each bug is put into the reader's classes while they are loaded into the fuzzer's process, and only there. The
 * fuzzer starts from one file, in which the bug does not show.
 */
class PlantedBugSpec :
    FunSpec({
        val chosen = Campaign.PLANTED_BUGS.firstOf(BUGS)

        for (bug in BUGS) {
            test("${bug.name} is found").config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(bug in chosen) }) {
                val hook = bug.hook.java
                val run = FuzzRun(hook.simpleName, bug.start, MOST_EXECUTIONS, seed = 1, hook, bug.target)
                val finding = run.run().finding.shouldNotBeNull()
                println("${hook.simpleName}: ${finding.lines().first()}")
                finding shouldContain bug.symptom
            }
        }

        test("the one multifile shows none of the bugs by itself") {
            ReaderTarget.read(Seeds.twoFiles()) shouldBe listOf(ReaderTarget.READ_THROUGH)
        }

        test("the log from which it starts shows no bug by itself") {
            LogTarget.read(HostileLog.of(LogSeeds.everyKind())) shouldBe "Open"
        }
    })

/** What [hook] plants into the reader that [target] calls, and what the fuzzer says when it has found it. */
private class Bug(
    val name: String,
    val hook: KClass<*>,
    val symptom: String,
    val start: (Path) -> Unit = { it.resolve("two-files").writeBytes(Seeds.twoFiles().encoded()) },
    val target: KClass<*> = ReaderTarget::class,
)

/** Those that are found soonest come first. */
private val BUGS =
    listOf(
        Bug("a length that is off by one", OffByOne::class, "BufferUnderflowException"),
        Bug("a path that leads out of the directory", EscapingPath::class, "PathEscape"),
        Bug(
            "a missing bound in heads of logs",
            MissingHeadBound::class,
            "TooMuchMemory",
            { it.resolve("every-kind").writeBytes(LogSeeds.everyKind()) },
            LogTarget::class,
        ),
        Bug("a missing bound", MissingBound::class, "ArrayIndexOutOfBoundsException"),
        Bug("a size that overflows", OverflowingSize::class, "OutOfMemoryError"),
        Bug("an endless loop", EndlessLoop::class, "TooMuchWork"),
    )

private const val MOST_EXECUTIONS = 100_000L
