package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.runRanks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.file.Path

private class Hiker(val id: Int) {
    var last: Hike? = null
    var plan: List<Hike> = emptyList()
}

@JvmRecord
private data class Hike(val at: Long, val who: Hiker, val via: List<Hiker>, val after: Hiker?)

@JvmRecord
private data class Remark(val leg: Hike, val weight: Double)

@JvmRecord
private data class BusyHike(val who: Hiker) {
    init {
        check(who.plan.isEmpty())
    }
}

@JvmRecord
private data class RingOfLinks(val other: LinkOfRings?)

@JvmRecord
private data class LinkOfRings(val rings: List<RingOfLinks>)

private sealed interface HikeEvent

@JvmRecord
private data class HutOpens(val who: Hiker?, val priority: Int) : HikeEvent

@JvmRecord
private data class HutCloses(val who: Hiker?, val times: Long) : HikeEvent

private class HutMoves(val who: Hiker?) : HikeEvent {
    var times = 4L
}

private class HutStays : HikeEvent {
    var times = 4
}

internal class Guide(val id: Int)

/** Its constructor refuses null. */
@JvmRecord
internal data class Outing(val day: Int, val first: Guide, val all: List<Guide>)

/** Its constructor refuses null. */
@JvmRecord
internal data class GuideDay(val day: Int, val guide: Guide)

@JvmRecord
internal data class GuideWeek(val first: GuideDay)

@JvmRecord
private data class FreeDay(val day: Int)

@JvmRecord
private data class FreeWeek(val first: FreeDay)

/** Rows that are records, and lead to rows: these are made before them. */
class LinkedRecordsSpec :
    FunSpec({
        val path = Path.of("records")

        fun run(files: SimulatedDisk, isFirst: Boolean, declare: StateBuilder.() -> Unit) =
            runRanks(1) {
                val options = CheckpointOptions { checkRestart = true }
                checkpoints(path, options, files.host(host), declare = declare).use {
                    if (isFirst) it.save(1) else it.restore()
                }
            }

        class Trek(var walkers: List<Hiker>, var legs: List<Hike>, var notes: List<Remark>) {
            fun StateBuilder.all() {
                rows("notes", { notes }, { notes = it }) {}
                rows("legs", { legs }, { legs = it }) {}
                rows("walkers", { walkers }, { walkers = it }) { uniqueIds("id") }
            }
        }

        test("records lead to the same rows again, in lists and by other records, and others lead to them") {
            val files = SimulatedDisk()
            val walkers = List(3) { Hiker(7 * it) }
            val legs =
                List(4) {
                    Hike(
                        it.toLong(),
                        walkers[it % 3],
                        walkers.drop(it % 3),
                        walkers[0].takeIf { _ ->
                            it >
                                1
                        },
                    )
                }
            walkers[1].last = legs[3]
            walkers[2].plan = listOf(legs[3], legs[0])
            run(
                files,
                isFirst = true,
            ) { Trek(walkers, legs, listOf(Remark(legs[2], 0.5), Remark(legs[2], 1.5))).run { all() } }
            val back = Trek(emptyList(), emptyList(), emptyList())
            run(files, isFirst = false) { back.run { all() } }
            back.walkers.map { it.id } shouldBe listOf(0, 7, 14)
            back.legs.forEachIndexed { at, leg ->
                leg.at shouldBe at
                leg.who shouldBeSameInstanceAs back.walkers[at % 3]
                leg.via shouldBe back.walkers.drop(at % 3)
                leg.after shouldBe back.walkers[0].takeIf { at > 1 }
            }
            back.walkers.map { it.last } shouldBe listOf(null, back.legs[3], null)
            back.walkers[2].plan.map { back.legs.indexOf(it) } shouldBe listOf(3, 0)
            back.notes.map { it.weight } shouldBe listOf(0.5, 1.5)
            back.notes.forEach { it.leg shouldBeSameInstanceAs back.legs[2] }
        }

        fun StateBuilder.happenings(walkers: List<Hiker>, all: List<HikeEvent>, set: (List<HikeEvent>) -> Unit) {
            rows("happenings", { all }, set) {
                kind<HutOpens>("opens")
                kind<HutCloses>("closes")
                kind<HutMoves>("moves")
            }
            rows("walkers", { walkers }, {}) { except("last", "plan") }
        }

        test("records go to their owners on another number of ranks") {
            val files = SimulatedDisk()
            for (count in listOf(2, 1, 3)) {
                runRanks(count) {
                    val isFirst = count == 2
                    var guides = if (isFirst) listOf(Guide(rank)) else emptyList()
                    var outings =
                        if (isFirst) {
                            List(
                                3,
                            ) { Outing(3 * rank + it, guides[0], guides.toList()) }
                        } else {
                            emptyList()
                        }
                    checkpoints(path, files = files.host(host)) {
                        rows("outings", { outings }, { outings = it }) { owner { one, ranks -> one.day % ranks } }
                        rows("guides", { guides }, { guides = it }) {
                            uniqueIds("id")
                            owner { one, ranks -> one.id % ranks }
                            elsewhere { Guide(it.toInt()) }
                        }
                    }.use {
                        if (!isFirst) it.restore()
                        it.save(count.toLong())
                    }
                    for (one in outings) {
                        if (!isFirst) one.day % count shouldBe rank
                        one.first.id shouldBe one.day / 3
                        one.all.single() shouldBeSameInstanceAs one.first
                    }
                    allReduce(outings.size.toLong(), Long::plus) shouldBe 6
                }
            }
        }

        test("kinds that have a field of one name and type share its column") {
            val files = SimulatedDisk()
            val walkers = List(2, ::Hiker)
            val all =
                listOf(
                    HutOpens(walkers[1], 3),
                    HutMoves(walkers[0]).apply { times = 9 },
                    HutCloses(null, 5),
                    HutMoves(null),
                )
            run(files, isFirst = true) { happenings(walkers, all) {} }
            StoredCheckpoints(path, files.host("host0")).openNewest().use { checkpoint ->
                checkpoint.table("happenings").columns.map { it.name } shouldBe
                    listOf("who", "priority", "times", "class")
            }
            var back = emptyList<HikeEvent>()
            runRanks(1) {
                checkpoints(path, files = files.host(host)) {
                    var those = walkers
                    rows("happenings", { back }, { back = it }) {
                        kind<HutOpens>("opens")
                        kind<HutCloses>("closes")
                        kind<HutMoves>("moves")
                    }
                    rows("walkers", { those }, { those = it }) { except("last", "plan") }
                }.use { it.restore() }
            }
            (back[0] as HutOpens).run { listOf(who?.id, priority) } shouldBe listOf(1, 3)
            (back[1] as HutMoves).run { listOf(who?.id, times) } shouldBe listOf(0, 9L)
            (back[2] as HutCloses).run { listOf(who?.id, times) } shouldBe listOf(null, 5L)
            (back[3] as HutMoves).run { listOf(who?.id, times) } shouldBe listOf(null, 4L)
        }

        fun refusal(declare: StateBuilder.() -> Unit) =
            generateSequence<Throwable>(
                shouldThrow<Exception> { run(SimulatedDisk(), isFirst = true, declare) },
            ) { it.cause }.last().message.orEmpty()

        test("fields of one name and different types are refused") {
            refusal {
                rows("happenings", { listOf<HikeEvent>() }, {}) {
                    kind<HutMoves>("moves")
                    kind<HutStays>("stays")
                }
            } shouldContain "has kinds of rows with fields 'times' of different types, in "
        }

        test("a record whose constructor does more than keep what it gets leads to no rows") {
            refusal {
                rows("busy", { listOf<BusyHike>() }, {}) {}
                rows("walkers", { listOf<Hiker>() }, {}) { except("last", "plan") }
            } shouldContain
                "the record ${BusyHike::class.java.name} leads to rows, and its constructor would get them before " +
                "they are complete: let it do nothing but keep what it gets, or write a class instead"
        }

        test("a constructor that does not take what was saved is named with the table of its record") {
            val files = SimulatedDisk()
            val guides = List(2, ::Guide)
            val first = listOf(FreeDay(1))
            runRanks(1) {
                checkpoints(path, files = files.host(host)) {
                    rows("weeks", { listOf(FreeWeek(first[0])) }, {}) {}
                    rows("days", { first }, {}) {}
                    rows("guides", { guides }, {}) {}
                }.use { it.save(1) }
            }
            shouldThrow<Mismatch> {
                run(files, isFirst = false) {
                    rows("weeks", { listOf<GuideWeek>() }, {}) {}
                    rows("days", { listOf<GuideDay>() }, {}) { added("guide", Long.MIN_VALUE) }
                    rows("guides", { listOf<Guide>() }, {}) {}
                }
            }.message shouldContain "the table 'days' cannot be restored: the program's own code for it threw"
        }

        test("records that lead to each other in a circle are refused") {
            refusal {
                rows("rings", { listOf<RingOfLinks>() }, {}) {}
                rows("links", { listOf<LinkOfRings>() }, {}) {}
            } shouldContain
                "records of 'rings' lead to rows of 'rings', directly or by other records, and none of them could " +
                "be made first"
        }
    })
