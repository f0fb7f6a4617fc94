package dev.cairn.sion.log

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.CrashTally
import dev.cairn.sion.store.fixture.crashEverywhere
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** The power fails at every operation of a writer, and everything is lost or torn that may be. */
class LogCrashSpec :
    FunSpec({
        for (limit in listOf(1L, 300L, 1L shl 20)) {
            test("segments of $limit: what is there was written, in its order") {
                val promise = LogPromise(limit)
                val tally = promise.crashEverywhere { it }
                println("LogCrashSpec, segments of $limit: $tally, ${promise.histogram}")
                tally.broken shouldBe 0
                tally.states shouldBeGreaterThan 50
            }

            test("segments of $limit: a power failure behind a force of all files takes nothing away") {
                val promise = LogPromise(limit, isForced = true)
                promise.crashEverywhere { it }.broken shouldBe 0
            }
        }

        test("an append that fails and is tried again takes nothing away") {
            for (limit in listOf(1L, 300L, 1L shl 20)) {
                val promise = LogPromise(limit)
                for (failing in 2L..30L step 3) {
                    promise.crashEverywhere(attempts = 2) { FailingStore(it, failing, partial = 20) }.broken shouldBe 0
                }
            }
        }

        test("a force that does nothing is noticed") {
            val planted: (BlockStore) -> BlockStore = ::withoutForce
            LogPromise(300, isForced = true).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
        }

        test("a cut that does nothing is noticed") {
            val store = FailingStore(withoutCut(newLog()), failing = 0, partial = 200)
            LogWriter.create(store, LOG, LogModel.IDENTITY).use { log ->
                log.note("a")
                store.failing = store.operations + 1
                shouldThrow<InjectedFailure> { log.note("b".repeat(1000)) }
                log.note("c")
            }
            see(store, LOG).name shouldBe "damaged"
        }
    })

private val PROGRAM = EVERY_KIND

/** A program, and what it may rely on: if it [isForced], all records are forced behind the last one. */
private class LogPromise(private val limit: Long, private val isForced: Boolean = false) {
    private val model = LogModel(PROGRAM, limit = limit)
    val histogram = sortedMapOf<String, Int>()

    fun crashEverywhere(attempts: Int = 1, wrap: (BlockStore) -> BlockStore): CrashTally =
        crashEverywhere({ disk, acknowledge -> run(wrap(disk.home()), attempts, acknowledge) }, ::isKept)

    private fun SimulatedDisk.home(): BlockStore {
        val store = host("node")
        store.makeDirectory(LOG)
        store.forceDirectory(Path.of("/"))
        return store
    }

    private fun run(store: BlockStore, attempts: Int, acknowledge: (Int) -> Unit) {
        val writer = retrying(attempts) { LogWriter.create(store, LOG, LogModel.IDENTITY, limit) }
        writer.use { PROGRAM.forEach { step -> retrying(attempts) { it.append(step) } } }
        if (isForced) {
            LogReader.segments(store, LOG).forEach { path -> store.open(path, Access.READ_WRITE).use { it.force() } }
            store.forceDirectory(LOG)
            acknowledge(PROGRAM.size)
        }
    }

    private fun <T> retrying(attempts: Int, block: () -> T): T =
        try {
            block()
        } catch (failed: InjectedFailure) {
            if (attempts == 1) throw failed
            retrying(attempts - 1, block)
        }

    private fun isKept(store: BlockStore, acknowledged: Int): Boolean {
        if (!store.exists(LOG)) return acknowledged == 0
        val log = see(store, LOG)
        histogram.merge(log.name, 1, Int::plus)
        return isPrefix(log.records, acknowledged) && (acknowledged == 0 || log.name == "open")
    }

    /** At least [least] records, which are those that were written; a payload behind them may be damaged. */
    private fun isPrefix(records: List<String>, least: Int): Boolean =
        records.size >= least &&
            records.zip(model.records).withIndex().all { (index, pair) ->
                val (found, written) = pair
                val damaged = written.text.substringBeforeLast(' ') + " damaged"
                found == written.text || (index >= least && found == damaged)
            }
}

private fun withoutForce(store: BlockStore): BlockStore =
    object : BlockStore by store {
        override fun open(file: Path, access: Access): BlockFile {
            val opened = store.open(file, access)
            return object : BlockFile by opened {
                override fun force() = Unit
            }
        }
    }

private fun withoutCut(store: BlockStore): BlockStore =
    withFiles(store) { file ->
        object : BlockFile by file {
            override fun resize(size: Long) = Unit
        }
    }

private fun withFiles(store: BlockStore, change: (BlockFile) -> BlockFile): BlockStore =
    object : BlockStore by store {
        override fun create(file: Path) = change(store.create(file))
    }
