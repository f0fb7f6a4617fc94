package dev.cairn.sion.log

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
        for (policy in LogForcePolicy.values()) {
            for (limit in listOf(1L, 300L, 1L shl 20)) {
                test("forced $policy, segments of $limit: what was promised is there, and what is there was written") {
                    val promise = LogPromise(policy, limit)
                    val tally = promise.crashEverywhere { it }
                    println("LogCrashSpec, $policy, segments of $limit: $tally, ${promise.histogram}")
                    tally.broken shouldBe 0
                    tally.states shouldBeGreaterThan 50
                }
            }
        }

        test("an append that fails and is tried again takes nothing away") {
            for (policy in LogForcePolicy.values()) {
                val promise = LogPromise(policy, 300)
                for (failing in 4L..40L step 3) {
                    promise.crashEverywhere(attempts = 2) { FailingStore(it, failing, partial = 20) }.broken shouldBe 0
                }
            }
        }

        test("a force that does nothing is noticed") {
            val planted: (BlockStore) -> BlockStore = { store -> withoutForce(store) { true } }
            LogPromise(LogForcePolicy.ON_RECORD, 300).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
            LogPromise(LogForcePolicy.ON_SEAL, 300).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
        }

        test("a directory that is not forced is noticed") {
            val planted: (BlockStore) -> BlockStore = { store -> withoutForcedLog(store) }
            LogPromise(LogForcePolicy.ON_RECORD, 300).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
            LogPromise(LogForcePolicy.ON_SEAL, 300).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
        }

        test("a seal that is forced only together with what it seals is noticed") {
            val planted: (BlockStore) -> BlockStore = { store -> withoutForce(store) { it == 2 } }
            LogPromise(LogForcePolicy.ON_SEAL, 1 shl 20).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
        }

        test("a head that is forced only together with its first record is noticed") {
            val planted: (BlockStore) -> BlockStore = { store -> withoutForce(store) { it == 1 } }
            LogPromise(LogForcePolicy.ON_SEAL, 1).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
            LogPromise(LogForcePolicy.ON_RECORD, 1).crashEverywhere(wrap = planted).broken shouldBeGreaterThan 0
        }

        test("a cut that does nothing is noticed") {
            val store = FailingStore(withoutCut(newLog()), failing = 0, partial = 90)
            LogWriter.create(store, LOG, spec(LogForcePolicy.ON_SEAL, 1 shl 20)).use { log ->
                log.note("a")
                store.failing = store.operations + 1
                shouldThrow<InjectedFailure> { log.note("b".repeat(1000)) }
                log.seal()
            }
            see(store, LOG).name shouldBe "damaged"
        }
    })

private val PROGRAM = EVERY_KIND

/** A program, and what it may rely on. */
private class LogPromise(
    private val policy: LogForcePolicy,
    private val limit: Long,
) {
    private val model = LogModel(PROGRAM, policy = policy.ordinal, limit = limit)
    val histogram = sortedMapOf<String, Int>()

    fun crashEverywhere(
        attempts: Int = 1,
        wrap: (BlockStore) -> BlockStore,
    ): CrashTally = crashEverywhere({ disk, acknowledge -> run(wrap(disk.home()), attempts, acknowledge) }, ::isKept)

    private fun SimulatedDisk.home(): BlockStore {
        val store = host("node")
        store.makeDirectory(LOG)
        store.forceDirectory(Path.of("/"))
        return store
    }

    private fun run(
        store: BlockStore,
        attempts: Int,
        acknowledge: (Int) -> Unit,
    ) {
        val writer = retrying(attempts) { LogWriter.create(store, LOG, spec(policy, limit)) }
        writer.use {
            PROGRAM.forEachIndexed { index, step ->
                try {
                    retrying(attempts) { it.append(step) }
                } catch (lost: LogException.RecordsLost) {
                    return
                }
                acknowledge(index + 1)
            }
        }
    }

    private fun <T> retrying(
        attempts: Int,
        block: () -> T,
    ): T =
        try {
            block()
        } catch (failed: InjectedFailure) {
            if (attempts == 1) throw failed
            retrying(attempts - 1, block)
        }

    private fun isKept(
        store: BlockStore,
        acknowledged: Int,
    ): Boolean {
        if (!store.exists(LOG)) return acknowledged == 0
        val log = see(store, LOG)
        histogram.merge(log.name, 1, Int::plus)
        val isWhole = log.name == "sealed" && log.records.size == PROGRAM.size
        return isPrefix(log.records, promised(acknowledged)) &&
            (policy == LogForcePolicy.NEVER || log.name != "damaged") &&
            (log.name != "sealed" || isWhole) &&
            (policy == LogForcePolicy.NEVER || acknowledged < PROGRAM.size || isWhole)
    }

    /** At least [least] records, which are those that were written; a payload behind them may be damaged. */
    private fun isPrefix(
        records: List<String>,
        least: Int,
    ): Boolean =
        records.size >= least &&
            records.zip(model.records).withIndex().all { (index, pair) ->
                val (found, written) = pair
                val damaged = written.text.substringBeforeLast(' ') + " damaged"
                found == written.text || (index >= least && found == damaged)
            }

    private fun promised(acknowledged: Int): Int =
        when (policy) {
            LogForcePolicy.NEVER -> 0
            LogForcePolicy.ON_RECORD -> acknowledged
            LogForcePolicy.ON_SEAL -> if (acknowledged == PROGRAM.size) acknowledged else beforeSegmentOf(acknowledged)
        }

    private fun beforeSegmentOf(acknowledged: Int): Int {
        val segment = if (acknowledged == 0) 0 else model.records[acknowledged - 1].segment
        return model.records.count { it.segment < segment }
    }
}

/** Without the forces of each file that [isLeftOut], which are counted from 1. */
private fun withoutForce(
    store: BlockStore,
    isLeftOut: (Int) -> Boolean,
): BlockStore =
    withFiles(store) { file ->
        var forces = 0
        object : BlockFile by file {
            override fun force() {
                if (!isLeftOut(++forces)) file.force()
            }
        }
    }

private fun withoutCut(store: BlockStore): BlockStore =
    withFiles(store) { file ->
        object : BlockFile by file {
            override fun resize(size: Long) = Unit
        }
    }

private fun withoutForcedLog(store: BlockStore): BlockStore =
    object : BlockStore by store {
        override fun forceDirectory(directory: Path) = Unit
    }

private fun withFiles(
    store: BlockStore,
    change: (BlockFile) -> BlockFile,
): BlockStore =
    object : BlockStore by store {
        override fun create(file: Path) = change(store.create(file))
    }
