package dev.cairn.proof.kill

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.OUTSIDE
import dev.cairn.house.needs
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.relativeTo
import kotlin.io.path.walk

/**
 * A real process is stopped by SIGSTOP at an exact place, another one takes its store over and comes to its end, and then the
 * first one is woken. It still holds the operating system's lock all the time.
 */
@Tags(OUTSIDE)
class SleepingWriterSpec :
    FunSpec({
        val chosen = Campaign.STARTED_PROGRAMS.someOf(Sleep.entries)
        val directory = tempdir().toPath()
        val events by lazy {
            DriftProcess(directory.resolve("unbroken.cairn"), RANKS).use { program ->
                program.end() shouldBe 0
                program.heard
            }
        }

        /** Stops before event number [pause], which belongs to save [save], if any. */
        fun sleepThrough(place: Path, pause: Pause, save: String) =
            DriftProcess(place, RANKS, pause).use { old ->
                old.hearUntil { it == EventPipe.WAITING }
                old.sleep()

                DriftProcess(place, 2).use { polite ->
                    polite.end() shouldBe 1
                    polite.complaints() shouldContain "it belongs to process ${old.pid} on "
                    polite.complaints() shouldContain "If it is stopped and must not continue, end it, or take the " +
                        "store over"
                }
                DriftProcess(place, 3, null, "take-over").use { successor ->
                    successor.end() shouldBe 0
                    successor.complaints() shouldContain
                        Regex("took the store over from process ${old.pid} .*: that process still holds its lock")
                    successor.heard shouldContain events.last { it.startsWith("result") }
                }
                val left = contents(place)

                old.wake()
                old.goOn()
                old.end() shouldBe 1
                old.complaints() shouldContain "it was taken over by a program that has ended since"
                contents(place) shouldBe left
                place.resolve(save).resolve("manifest.json").exists() shouldBe false

                DriftProcess(place, 5).use { next ->
                    next.end() shouldBe 0
                    next.complaints() shouldNotContain "took the store over"
                    next.heard shouldContain events.last { it.startsWith("result") }
                }
            }

        test(
            "stopped right before its last look at the owner, it is fenced when it wakes up, and commits nothing",
        ).config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Sleep.BEFORE_RENAME in chosen) },
        ) {
            val rename = events.indexOf("RENAME 000003/manifest.json.new")
            val close = events.take(rename).lastIndexOf("CLOSE 000003/manifest.json.new")
            events.subList(close, rename) shouldContain "OPEN owner.json"
            sleepThrough(directory.resolve("saving.cairn"), Pause.at(events, close), save = "000003")
        }

        test("stopped while its ranks write, it is fenced when it wakes up, and commits nothing").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Sleep.IN_WRITE in chosen) },
        ) {
            val write = events.indexOfFirst { it.startsWith("WRITE 000003/data.sion") }
            sleepThrough(directory.resolve("writing.cairn"), Pause.at(events, write), save = "000003")
        }

        test("stopped while it computes, it is fenced when it wakes up, and begins no save").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Sleep.IN_STEP in chosen) },
        ) {
            sleepThrough(directory.resolve("computing.cairn"), Pause("step 6"), save = "none")
        }
    })

/** Where the first process is stopped. */
private enum class Sleep {
    BEFORE_RENAME,
    IN_WRITE,
    IN_STEP,
}

private const val RANKS = 4

/** Every file of a store with its bytes; those of the owner come and go, and a fenced one may tell of its end among the events. */
private fun contents(store: Path): Map<String, String> =
    store.walk().filter { it.fileName.toString() !in setOf("owner.json", "events.jsonl") }.associate { file ->
        file.relativeTo(store).toString() to file.readText(Charsets.ISO_8859_1)
    }
