package dev.cairn.sion.log

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** Logs of several ranks take effect in one order. */
class LogReplaySpec :
    FunSpec({
        test("for each collective the independent puts before it come first, then its own, each by rank") {
            val store = storeOfRanks(listOf(STEPS_OF_0 + LogStep.Seal, STEPS_OF_1 + LogStep.Seal))
            replayed(store, 2) shouldContainExactly
                listOf("0:1", "1:1", "0:2", "0:3", "1:2", "0:5", "0:6", "1:6", "0:8", "1:8")
        }

        test("logs that are not sealed are replayed up to the last collective that all have") {
            val store = storeOfRanks(listOf(STEPS_OF_0, STEPS_OF_1 + LogStep.Seal))
            replayed(store, 2) shouldContainExactly listOf("0:1", "1:1", "0:2", "0:3", "1:2", "0:5", "0:6", "1:6")
        }

        test("sealed logs that disagree on the last collective end with the last common one") {
            val store =
                storeOfRanks(listOf(STEPS_OF_0 + LogStep.EndCollective + LogStep.Seal, STEPS_OF_1 + LogStep.Seal))
            replayed(store, 2) shouldContainExactly listOf("0:1", "1:1", "0:2", "0:3", "1:2", "0:5", "0:6", "1:6")
        }

        test("any cut of any log gives the last collective that is complete in all") {
            val sealed = listOf(STEPS_OF_0 + LogStep.Seal, STEPS_OF_1 + LogStep.Seal)
            val all = replayed(storeOfRanks(sealed), 2)
            val store = storeOfRanks(sealed)
            for (cut in 0..1) {
                val model = LogModel(sealed[cut], identityOf(cut, 2))
                store.open(Path.of("/$cut/s000000.log"), Access.READ_WRITE).use { log ->
                    for (length in model.segments
                        .single()
                        .indices
                        .reversed()) {
                        log.resize(length.toLong())
                        val whole = model.records.filter { it.end <= length }
                        val collectives = whole.count { " collective " in it.text }
                        val expected = all.take(listOf(0, 5, 8)[collectives])
                        replayed(store, 2) shouldContainExactly expected
                    }
                    log.write(0, model.segments.single())
                }
            }
        }

        test("cancelled puts are left out, also if they are cancelled after their collective") {
            val steps = STEPS_OF_0 + LogStep.Cancel(1) + LogStep.Cancel(6) + LogStep.Seal
            val store = storeOfRanks(listOf(steps, STEPS_OF_1 + LogStep.Seal))
            replayed(store, 2) shouldContainExactly listOf("1:1", "0:2", "0:3", "1:2", "0:5", "1:6", "0:8", "1:8")
        }

        test("the order is that of the key, whatever the program") {
            withRandom { random ->
                repeat(50) {
                    val ranks = random.nextInt(1, 5)
                    val programs =
                        List(ranks) { randomSteps(random, random.nextInt(40)).filter { it !is LogStep.Cancel } }
                    val isComplete =
                        programs.all { LogStep.Seal in it } && programs.map(::collectives).distinct().size == 1
                    val last = programs.minOf(::collectives)
                    val expected =
                        programs
                            .flatMapIndexed(
                                ::keysOf,
                            ).filter { it.e < last || (isComplete && it.e == last) }
                            .sortedWith(KEYS)
                    replayed(storeOfRanks(programs), ranks) shouldContainExactly
                        expected.map { "${it.rank}:${it.sequence}" }
                }
            }
        }

        test("payloads are read on the way, and only one segment is open") {
            val disk = SimulatedDisk()
            val store =
                storeOfRanks(listOf(STEPS_OF_0 + LogStep.Seal, STEPS_OF_1 + LogStep.Seal), on = disk.host("node"))
            LogReplay.open(store, directories(2)).use { replay ->
                replay.isComplete() shouldBe true
                replay.lastCollective() shouldBe 2
                replay.run { log, put ->
                    log.payloadOf(put).size.toLong() shouldBe (put.entry() as LogEntry.Put).region().byteCount()
                    disk.openFiles().size shouldBe 1
                }
            }
            disk.openFiles() shouldBe emptyList()
        }

        test("logs that do not belong together are refused") {
            fun refusal(identities: List<LogIdentity>): String? {
                val store = SimulatedDisk().host("node")
                identities.forEachIndexed { number, identity ->
                    store.makeDirectory(Path.of("/$number"))
                    writeLog(store, listOf(LogStep.Seal), LogSpec.of(identity), Path.of("/$number"))
                }
                return shouldThrow<LogException.WrongSet> {
                    LogReplay.open(
                        store,
                        directories(identities.size),
                    )
                }.message
            }
            refusal(listOf(identityOf(0, 2))) shouldBe
                "/0: this is one of 2 logs that belong together, but there are 1. Bring the logs of all" +
                " ranks, and no others."
            refusal(listOf(identityOf(0, 2), identityOf(0, 2))) shouldBe
                "/1: this is the log of rank 0, but so is /0. Leave one of them out."
            refusal(listOf(identityOf(0, 2), LogIdentity(9, 4, 1, 2))) shouldBe
                "/1: this log has generation 4 of 2 ranks, but others have generation 42 of 2. Replay only" +
                " logs that belong together."
        }

        test("a damaged log is refused, with the place") {
            val store = storeOfRanks(listOf(STEPS_OF_0 + LogStep.Seal))
            store
                .open(
                    Path.of("/0/s000000.log"),
                    Access.READ_WRITE,
                ).use { it.write(70, byteArrayOf(1)) }
            shouldThrow<LogException.Damaged> { LogReplay.open(store, directories(1)) }.message shouldContain
                "/0/s000000.log: at byte 64 the head of a record should have the CRC32C"
        }
    })

/** Puts 1, then 2 and 3 of collective 1, which 4 ends, puts 5, then 6 of collective 2, which 7 ends, then put 8. */
private val STEPS_OF_0 =
    listOf(put(0), put(1, true), put(2, true), LogStep.EndCollective) +
        listOf(put(3), put(4, true), LogStep.EndCollective, put(5))

/** The same with other records in between: collective 2 has a put, 6, and 8 is behind it. */
private val STEPS_OF_1 =
    listOf(put(10), put(11, true), LogStep.EndCollective, LogStep.Note("a"), LogStep.Barrier(1)) +
        listOf(put(12, true), LogStep.EndCollective, put(13))

private fun put(
    place: Long,
    isCollective: Boolean = false,
) = put(Region.ofExtent(0, place, 3), isCollective)

private fun identityOf(
    rank: Int,
    ranks: Int,
) = LogIdentity(1000L + rank, 42, rank, ranks)

private fun directories(ranks: Int) = List(ranks) { Path.of("/$it") }

private fun storeOfRanks(
    programs: List<List<LogStep>>,
    on: BlockStore = SimulatedDisk().host("node"),
): BlockStore {
    programs.forEachIndexed { rank, steps ->
        val bytes = LogModel(steps, identityOf(rank, programs.size)).segments.single()
        on.makeDirectory(Path.of("/$rank"))
        on.create(Path.of("/$rank/s000000.log")).use { it.write(0, bytes) }
    }
    return on
}

/** Rank and sequence number of each put. The last rank is first in the list of directories. */
private fun replayed(
    store: BlockStore,
    ranks: Int,
): List<String> {
    val puts = mutableListOf<String>()
    LogReplay.open(store, directories(ranks).reversed()).use { replay ->
        replay.run { log, put -> puts += "${log.identity().get().rank()}:${put.sequence()}" }
    }
    return puts
}

private fun collectives(steps: List<LogStep>) = steps.count { it == LogStep.EndCollective }

private class Key(
    val e: Int,
    val isCollective: Boolean,
    val rank: Int,
    val sequence: Int,
)

private val KEYS = compareBy<Key>({ it.e }, { it.isCollective }, { it.rank }, { it.sequence })

private fun keysOf(
    rank: Int,
    steps: List<LogStep>,
): List<Key> =
    steps.mapIndexedNotNull { index, step ->
        (step as? LogStep.Put)?.let { Key(collectives(steps.take(index)), it.isCollective, rank, index + 1) }
    }
