package dev.cairn.cli

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.Cleaner
import dev.cairn.store.SaveNames
import dev.cairn.store.survey
import dev.cairn.store.total
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path

/** Commands beside a program that saves, and deletes what a command has just listed. */
class DeletedSavesSpec :
    FunSpec({
        for ((moment, kind, file) in MOMENTS) {
            test("saves that are deleted $moment were deleted, not damaged") {
                suspend fun cairn(vararg arguments: String) =
                    HeatCheckpoints(BusyStore.of(3, kind, file)).cairn(*arguments)

                val runs =
                    listOf(
                        cairn("verify", "heat.cairn") to "save 3: good; ",
                        cairn("plan", "heat.cairn", "--ranks", "3") to "heat.cairn/000003: from 3 ranks to 3",
                        cairn("info", "heat.cairn") to "heat.cairn/000003",
                        cairn("explain", "heat.cairn") to "A restart continues from save 3.",
                        cairn("ls", "heat.cairn", "--deep") to "3  ",
                    )
                for ((run, sentence) in runs) {
                    withClue("${run.text}${run.complaint}") {
                        run.exitCode shouldBe 0
                        run.text shouldContain sentence
                        run.text shouldNotContain "no such file"
                        run.text shouldNotContain "damaged"
                    }
                }
            }
        }

        test("saves that are always deleted before they are read are not called damaged or missing") {
            for (verb in listOf("verify", "info", "explain")) {
                val run = HeatCheckpoints(BusyStore.of(12, Kind.OPEN, SaveNames.MANIFEST)).cairn(verb, "heat.cairn")
                run.exitCode shouldBe 3
                run.complaint shouldStartWith
                    "cairn: heat.cairn: the saves are deleted faster than they can be read: in each of 10 tries some"
            }
        }

        test("a single save that is deleted while it is verified is said to be deleted") {
            val run = HeatCheckpoints(BusyStore.of(2, Kind.OPEN, SaveNames.DATA)).cairn("verify", "heat.cairn/1")
            run.exitCode shouldBe 3
            run.complaint shouldContain "heat.cairn/000001: it was deleted while it was read."
        }

        test("where a damaged checkpoint stays and nothing is deleted, the store is read once") {
            val heat = HeatCheckpoints().apply { save(3, step = 1) }
            heat.cut(HEAT.resolve("000001/manifest.json"))
            var listings = 0
            val counting =
                object : ForwardingStore(heat.files) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.kind() == Kind.LIST && operation.path() == HEAT) listings++
                    }
                }
            shouldThrowFor<CheckpointException.Damaged>(
                Reason.NONE_GOOD,
            ) { StoredCheckpoints(HEAT, counting).openNewest() }
            listings shouldBe 2
        }
    })

private val MOMENTS =
    listOf(
        Triple("while the store is surveyed", Kind.LIST, ""),
        Triple("before their manifests are read", Kind.OPEN, SaveNames.MANIFEST),
        Triple("before their data are read", Kind.OPEN, SaveNames.DATA),
    )

/**
 * The store of a program that keeps one save: just before the newest one has its [file] used in the way of [kind], the program
 * commits the next one, up to [last], and deletes this one.
 */
private class BusyStore(
    private val files: BlockStore,
    private val last: Int,
    private val kind: Kind,
    private val file: String,
) : ForwardingStore(files) {
    private var newest = 1

    override fun onOperation(operation: BlockStore.Operation) {
        if (newest == last || operation.kind() != kind || operation.path() != pathOf(newest).resolve(file)) return
        newest++
        files.rename(pathOf(newest).resolve(SaveNames.NEW_MANIFEST), pathOf(newest).resolve(SaveNames.MANIFEST))
        val expired = files.survey(HEAT).numbered.filter { it.number == newest - 1 }
        Cleaner(files, HEAT).remove(expired, last).total()
    }

    companion object {
        suspend fun of(last: Int, kind: Kind, file: String): BusyStore {
            val heat = HeatCheckpoints()
            repeat(last) { heat.save(3, step = it + 1L) }
            for (number in 2..last) {
                val save = pathOf(number)
                heat.files.rename(save.resolve(SaveNames.MANIFEST), save.resolve(SaveNames.NEW_MANIFEST))
            }
            return BusyStore(heat.files, last, kind, file)
        }

        private fun pathOf(number: Int): Path = HEAT.resolve("%06d".format(number))
    }
}
