package dev.cairn.cli

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.event.ExitCode
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.run.FileRequests
import dev.cairn.run.OwnerRequestHandler
import dev.cairn.run.RunRequest
import dev.cairn.runSimulation
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.state.Codecs
import dev.cairn.store.OwnerRequest
import dev.cairn.store.OwnerRequests
import dev.cairn.store.SaveChange
import dev.cairn.store.SaveNames
import dev.cairn.store.carryOut
import dev.cairn.store.name
import dev.cairn.store.stopFileOf
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import kotlin.io.path.createDirectory
import kotlin.io.path.createFile
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries

/** What other programs ask of the program that owns a store, while it runs. */
class RunningOwnerSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        /** As [running], with a loop of the program's own. */
        suspend fun runningOwnLoop(store: Path, ask: HeatCheckpoints.() -> Unit): ExitCode {
            lateinit var asked: CompletableFuture<Void>
            val codes =
                ranks(2) {
                    val options = CheckpointOptions { keepLast = 3 }
                    checkpoints(store, options) { replicated("sum", Codecs.LONG, { 0L }, {}) }.use {
                        var step = 0L
                        while (it.saveIfDue(++step)) {
                            if (rank == 0 && step == 20L) {
                                asked = CompletableFuture.runAsync { stoppingOnFailure(store, ask) }
                            }
                        }
                        it.exitCode
                    }
                }
            asked.get()
            return codes.distinct().single()
        }

        /** Lets a simulation run while [ask] is at work; that must stop it. */
        suspend fun running(store: Path, ask: HeatCheckpoints.() -> Unit): ExitCode {
            lateinit var asked: CompletableFuture<Void>
            val code =
                runSimulation("sums", arrayOf("--dir", "$store", "--ranks", "2", "--keep-last", "3")) {
                    var sum by replicated(0L)
                    for (step in steps(until = Long.MAX_VALUE)) {
                        if (rank == 0 && step == 20L) {
                            asked = CompletableFuture.runAsync { stoppingOnFailure(store, ask) }
                        }
                        sum += step
                    }
                }
            asked.get()
            return code
        }

        for (loop in listOf("kept", "own")) {
            val start: suspend (Path, HeatCheckpoints.() -> Unit) -> ExitCode =
                if (loop == "kept") ::running else ::runningOwnLoop

            test("the owner, $loop loop, pins, unpins and deletes between steps, but not what a restart needs") {
                val store = directory.resolve("busy-$loop.cairn")

                start(store) {
                    repeat(3) {
                        cairn("save", "$store").run {
                            complaint shouldBe ""
                            text shouldStartWith "$store: asked process "
                            text shouldEndWith ": it saves after its current step\n"
                        }
                    }
                    cairn("pin", "$store", "1").text shouldBe "$store/000001: pinned\n"
                    cairn("rm", "$store", "1").complaint shouldBe
                        "cairn: $store/000001 is pinned and was not deleted. Unpin it first."
                    cairn("rm", "$store", "2").text shouldBe "$store/000002: deleted\n"
                    cairn("rm", "$store", "3").run {
                        exitCode shouldBe 3
                        complaint shouldBe
                            "cairn: save 3 of $store is the newest one, from which a restart of the program that " +
                            "runs there would continue. It is not deleted while that program runs."
                    }
                    cairn("rm", "$store", "9").complaint shouldStartWith "cairn: $store: there is no save 9."
                    cairn("unpin", "$store", "1").text shouldBe "$store/000001: no longer pinned\n"
                    cairn("rm", "$store", "1").text shouldBe "$store/000001: deleted\n"
                    cairn("stop", "$store").text shouldEndWith ": it saves after its current step, and ends\n"
                } shouldBe ExitCode.UNFINISHED

                store.listDirectoryEntries().map { it.name }.sorted() shouldBe
                    listOf("000003", "000004", "events.jsonl", "lock", "requests")
                store.resolve("requests").listDirectoryEntries() shouldBe emptyList()
            }
        }

        test("without a running owner no request is left for the next run") {
            val heat = HeatCheckpoints().apply { save(2, 1) }
            for (verb in listOf("save", "stop")) {
                heat.cairn(verb, "heat.cairn").run {
                    exitCode shouldBe 3
                    complaint shouldBe "cairn: heat.cairn: no program is running there, so the request was not made."
                }
                heat.files.exists(Path.of("heat.cairn/requests/$verb")) shouldBe false
            }
            heat.cairn("save", "cold.cairn").exitCode shouldBe 3
        }

        test("a program that does not answer requests is reported, with a remedy") {
            val heat = HeatCheckpoints().apply { save(2, 1) }
            heat.own().use {
                heat.cairn("save", "heat.cairn", "--wait", "0").run {
                    exitCode shouldBe 3
                    complaint shouldStartWith "cairn: heat.cairn/requests/save was made, but process "
                    complaint shouldContain "Delete the file to withdraw the request."
                }
            }
            heat.files.exists(Path.of("heat.cairn/requests/save")) shouldBe true
            heat.own().use { FileRequests(heat.files, HEAT).take() shouldBe RunRequest.NONE }
            heat.files.exists(Path.of("heat.cairn/requests/save")) shouldBe false
            heat.cairn("pin", "heat.cairn", "1", "--wait", "-1").run {
                exitCode shouldBe 2
                complaint shouldBe "cairn: --wait is a number of seconds from 0 on, not -1.0."
            }
        }

        test("the newest checkpoint is pinned, although the owner deletes the one that was it when the command began") {
            val heat = HeatCheckpoints().apply { for (step in 1L..2) save(2, step) }
            val (uncommitted, committed) =
                listOf(SaveNames.NEW_MANIFEST, SaveNames.MANIFEST).map { HEAT.resolve("000002").resolve(it) }
            heat.files.rename(committed, uncommitted)
            heat.own().use { owned ->
                val goOn = {
                    if (heat.files.exists(uncommitted)) {
                        heat.files.rename(uncommitted, committed)
                        owned.carryOut(SaveChange.REMOVE, 1).isDone shouldBe true
                    }
                    OwnerRequestHandler(owned, heat.files).answer()
                }
                HeatCheckpoints(OwnerAtWork(heat.files, goOn)).cairn("pin", "heat.cairn").text shouldBe
                    "heat.cairn/000002: pinned\n"
            }
        }

        for (options in listOf(emptyList(), listOf("--take-over"))) {
            test("the newest checkpoint is pinned, although a program deletes the one that was it, $options") {
                suspend fun pinBeside(first: Int): Pair<CommandRun, Int> {
                    val heat = HeatCheckpoints().apply { for (step in 1L..2) save(2, step) }
                    // As long as the command owns the store, no program does.
                    val deleting =
                        DeletesAt(
                            heat.files,
                            first,
                        ) { runCatching { heat.own().use { it.carryOut(SaveChange.REMOVE, 2) } } }
                    val run = HeatCheckpoints(deleting).cairn("pin", *options.toTypedArray(), "heat.cairn")
                    return run to deleting.count
                }
                for (first in 0..<pinBeside(Int.MAX_VALUE).second) {
                    val (run, _) = pinBeside(first)
                    withClue("before operation $first: ${run.complaint}") {
                        run.exitCode shouldBe 0
                        run.text shouldBeIn (1..2).map { "heat.cairn/00000$it: pinned\n" }
                    }
                }
            }
        }

        test("a request is carried out once, or not at all when it was withdrawn, and never by a later owner") {
            val heat = HeatCheckpoints().apply { for (step in 1L..2) save(2, step) }
            heat.own().use { owned ->
                val requests = OwnerRequests(heat.files, HEAT)
                val ownerRequests = OwnerRequestHandler(owned, heat.files)
                val withdrawn = requests.ask(OwnerRequest(owned.identity, SaveChange.PIN, 1))
                requests.withdraw(withdrawn) shouldBe true
                ownerRequests.answer()
                requests.answer(withdrawn).shouldBeNull()

                val late = requests.ask(OwnerRequest("another one", SaveChange.REMOVE, 1))
                ownerRequests.answer()
                requests.withdraw(late) shouldBe false
                requests.answer(late).shouldNotBeNull().sentence shouldBe
                    "the request was made to another program, which has ended."
                requests.answer(late).shouldBeNull()
            }
            checkpointStore(heat.files, HEAT).survey().saves.map { it.isPinned } shouldBe listOf(false, false)
        }

        test("whichever operation fails while the owner answers, it continues, and its answer is true") {
            var failing = 0
            do {
                val heat = HeatCheckpoints().apply { for (step in 1L..2) save(2, step) }
                val disk = FailsAt(heat.files)
                val store = checkpointStore(disk, HEAT)
                var wasReached = false
                HeatCheckpoints(disk).own().use { owned ->
                    val requests = OwnerRequests(heat.files, HEAT)
                    val id = requests.ask(OwnerRequest(owned.identity, SaveChange.REMOVE, 1))
                    disk.failsIn(failing)
                    OwnerRequestHandler(owned, disk).answer()
                    wasReached = disk.hasFailed
                    disk.failsIn(Int.MAX_VALUE)
                    val isThere = store.survey().saves.any { it.number == 1 }
                    val answer = requests.answer(id)
                    if (answer != null && answer.isDone) isThere shouldBe false
                    if (requests.withdraw(id)) isThere shouldBe true
                    if (isThere) heat.cairn("verify", "heat.cairn", "1").exitCode shouldBe 0
                }
                failing++
            } while (wasReached)
            println("RunningOwnerSpec: the owner came to an end of each of $failing operations")
        }

        test(
            "a request reaches the program through a link to its directory, or if the program has come through it",
        ) {
            for (isStartedThroughLink in listOf(false, true)) {
                val store = directory.resolve("real$isStartedThroughLink.cairn").createDirectory()
                val link = directory.resolve("link$isStartedThroughLink.cairn").createSymbolicLinkPointingTo(store)
                val (started, asked) = if (isStartedThroughLink) link to store else store to link
                running(started) {
                    cairn("save", "$asked").complaint shouldBe ""
                    cairn("stop", "$asked").complaint shouldBe ""
                } shouldBe ExitCode.UNFINISHED
            }
        }

        test("requests are answered although a save is always under way") {
            val store = directory.resolve("saving.cairn")
            lateinit var asked: CompletableFuture<Void>
            runSimulation(
                "sums",
                arrayOf("--dir", "$store", "--every", "1", "--wait", "copied", "--keep-last", "9999"),
            ) {
                var sum by replicated(0L)
                for (step in steps(until = Long.MAX_VALUE)) {
                    if (step == 20L) {
                        asked =
                            CompletableFuture.runAsync {
                                stoppingOnFailure(store) {
                                    cairn("pin", "$store", "1", "--wait", "60").text shouldBe "$store/000001: pinned\n"
                                    cairn("stop", "$store").complaint shouldBe ""
                                }
                            }
                    }
                    sum += step
                }
            } shouldBe ExitCode.UNFINISHED
            asked.get()
        }

        test("directories with names such as . have their control files beside them, too") {
            val store = directory.resolve("dotted.cairn").createDirectory()
            running(store.resolve(".")) { cairn("stop", "$store/.").complaint shouldBe "" } shouldBe ExitCode.UNFINISHED
            directory.resolve("dotted.cairn.stop").exists() shouldBe false
        }
    })

/** Otherwise the simulation would run for ever. */
private fun stoppingOnFailure(store: Path, ask: HeatCheckpoints.() -> Unit) =
    try {
        HeatCheckpoints(FileBlockStore()).ask()
    } catch (failure: Throwable) {
        stopFileOf(store).createFile()
        throw failure
    }

/** The owner [goes on][goOn] when a program looks for its answer to a request. */
private class OwnerAtWork(files: BlockStore, private val goOn: () -> Unit) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() == BlockStore.Operation.Kind.EXISTS &&
            operation.path().name.endsWith(".answer.json")
        ) {
            goOn()
        }
    }
}

/** A program [deletes][delete] a save before operation number [first]. */
private class DeletesAt(files: BlockStore, private val first: Int, private val delete: () -> Unit) :
    ForwardingStore(files) {
    var count = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        if (count++ == first) delete()
    }
}

/** Fails one operation, as if the disk had a moment of weakness. */
private class FailsAt(files: BlockStore) : ForwardingStore(files) {
    private var left = Int.MAX_VALUE

    val hasFailed: Boolean get() = left < 0

    fun failsIn(operations: Int) {
        left = operations
    }

    override fun onOperation(operation: BlockStore.Operation) {
        if (left-- == 0) throw IOException("injected: $operation")
    }
}
