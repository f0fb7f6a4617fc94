package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.java.BlockingRanks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException

class TypedMessagesSpec :
    FunSpec({
        test("arrays of every primitive type, and values, arrive as they were") {
            ranks(3) {
                val next = (rank + 1) % size
                val before = (rank + 2) % size
                send(next, 1, doubleArrayOf(rank + 0.5, Double.NEGATIVE_INFINITY, -0.0))
                send(next, 1, floatArrayOf(rank + 0.25f))
                send(next, 1, longArrayOf(Long.MIN_VALUE, rank.toLong()))
                send(next, 1, intArrayOf(rank, Int.MAX_VALUE))
                send(next, 1, shortArrayOf(rank.toShort(), -1))
                send(next, 1, charArrayOf('ä', '\uffff'))
                send(next, 1, byteArrayOf(-1, rank.toByte()))
                send(next, 1, booleanArrayOf(true, false, rank == 0))
                send(next, 1, DoubleArray(0))
                send(next, 1, Parcel("from $rank", listOf(rank, 7)))
                send(next, 1, listOf(Parcel("a", emptyList())))
                send(next, 1, "text")
                receive<DoubleArray>(before, 1).toList() shouldBe listOf(before + 0.5, Double.NEGATIVE_INFINITY, -0.0)
                receive<FloatArray>(before, 1).toList() shouldBe listOf(before + 0.25f)
                receive<LongArray>(before, 1).toList() shouldBe listOf(Long.MIN_VALUE, before.toLong())
                receive<IntArray>(before, 1).toList() shouldBe listOf(before, Int.MAX_VALUE)
                receive<ShortArray>(before, 1).toList() shouldBe listOf(before.toShort(), -1)
                receive<CharArray>(before, 1).toList() shouldBe listOf('ä', '\uffff')
                receive<ByteArray>(before, 1).toList() shouldBe listOf(-1, before.toByte())
                receive<BooleanArray>(before, 1).toList() shouldBe listOf(true, false, before == 0)
                receive<DoubleArray>(before, 1).size shouldBe 0
                receive<Parcel>(before, 1) shouldBe Parcel("from $before", listOf(before, 7))
                receive<List<Parcel>>(before, 1) shouldBe listOf(Parcel("a", emptyList()))
                receive<String>(before, 1) shouldBe "text"
            }
        }

        test("collectives of arrays and values") {
            ranks(4) {
                gather(1, intArrayOf(rank)).map { it.single() } shouldBe List(if (rank == 1) 4 else 0) { it }
                allGather(Parcel("$rank", emptyList())).map { it.text } shouldBe listOf("0", "1", "2", "3")
                broadcastValue(2) { doubleArrayOf(rank * 1.0) }.single() shouldBe 2.0
                scatter(0, if (rank == 0) List(size) { longArrayOf(it * 10L) } else null).single() shouldBe rank * 10L
                allToAll(List(size) { target -> floatArrayOf(rank * 10f + target) }).map { it.single() } shouldBe
                    List(size) { it * 10f + rank }
                allToAll(List(size) { target -> List(target) { Parcel("$rank", listOf(target)) } })
                    .flatten()
                    .map { it.numbers.single() } shouldBe List(size * rank) { rank }
            }
        }

        test("what is received as another type than it was sent as is refused in words") {
            ranks(1) {
                send(0, 1, doubleArrayOf(1.0))
                shouldThrow<CallsDifferException> { receive<LongArray>(0, 1) }.message shouldBe
                    "rank 0 sent double[], but long[] is received: name the same type on both ranks"
                send(0, 1, bytesOf(1L, 2L))
                shouldThrow<CallsDifferException> { receive<LongArray>(0, 1) }.message shouldBe
                    "rank 0 sent bytes without a type, but long[] is received: name the same type on both ranks"
                send(0, 1, Parcel("a", emptyList()))
                shouldThrow<CallsDifferException> { receive<String>(0, 1) }.message shouldBe
                    "rank 0 sent dev.cairn.ranks.Parcel, but kotlin.String is received: name the same type on both ranks"
                send(0, 1, listOf("text"))
                shouldThrow<CallsDifferException> { receive<List<Parcel>>(0, 1) }
            }
        }

        test("type arguments, and what a type consists of, are compared, too") {
            ranks(1) {
                send(0, 1, listOf(0.1, 1e300))
                shouldThrow<CallsDifferException> { receive<List<Float>>(0, 1) }.message shouldBe
                    "rank 0 sent kotlin.collections.ArrayList<kotlin.Double>, but " +
                    "kotlin.collections.ArrayList<kotlin.Float> is received: name the same type on both ranks"
                send(0, 1, mapOf("a" to listOf<Int?>(1)))
                shouldThrow<CallsDifferException> { receive<Map<String, List<Int>>>(0, 1) }.message shouldContain
                    "rank 0 sent kotlin.collections.LinkedHashMap<kotlin.String, " +
                    "kotlin.collections.ArrayList<kotlin.Int?>>, but "
                send(0, 1, Box(1e300))
                shouldThrow<CallsDifferException> { receive<Box<Float>>(0, 1) }.message shouldBe
                    "rank 0 sent a dev.cairn.ranks.Box, and a dev.cairn.ranks.Box is received, but the parts of the " +
                    "two types differ: name the same type on both ranks, with the same type arguments"
                refuses<List<String>, List<Int>>(listOf("1", "2"))
                refuses<List<Int>, List<Long>>(listOf(1, 2))
                refuses<List<Int>, List<Int?>>(listOf(1, 2))
                refuses<List<Meters>, List<Feet>>(listOf(Meters(1.0)))
                refuses<List<Earlier>, List<Later>>(listOf(Earlier(1.0)))
                refuses<List<Int>, Set<Int>>(listOf(1, 2))
                refuses<Tree<Int>, Tree<Long>>(Tree(1, listOf(Tree(2, emptyList()))))
                refuses<Pair<Box<Int>, Box<Int>>, Pair<Box<Int>, Box<Long>>>(Box(1) to Box(1))
            }
        }

        test("values of every shape arrive as they were, with all their bits") {
            ranks(1) {
                val nan = Double.fromBits(0x7ff8000000001234L)
                allGather(nan).single().toRawBits() shouldBe nan.toRawBits()
                allGather(Box(Float.fromBits(0x7fc00123))).single().v.toRawBits() shouldBe 0x7fc00123
                allGather(Tree(1L, listOf(Tree(2L, emptyList())))).single() shouldBe
                    Tree(1L, listOf(Tree(2L, emptyList())))
                allGather<Motion>(Motion.Spin(2)).single() shouldBe Motion.Spin(2)
                allGather(mapOf(Meters(1.0) to setOf('a'))).single() shouldBe mapOf(Meters(1.0) to setOf('a'))
                allGather(listOf(1, null)).single() shouldBe listOf(1, null)
                allGather<Motion>(Motion.Rest).single() shouldBe Motion.Rest
                allGather(Direction.WEST to null as String?).single() shouldBe (Direction.WEST to null)
                allGather(listOf(doubleArrayOf(1.5, -0.0))).single().single().toList() shouldBe listOf(1.5, -0.0)
                allGather(Byte.MIN_VALUE to Short.MAX_VALUE).single() shouldBe (Byte.MIN_VALUE to Short.MAX_VALUE)
                allGather(true to Long.MIN_VALUE).single() shouldBe (true to Long.MIN_VALUE)
                allGather(emptyMap<Int, List<String>>()).single() shouldBe emptyMap()
                allGather(7u to 1.5f).single() shouldBe (7u to 1.5f)
                allGather("ä\uD83D\uDE00").single() shouldBe "ä\uD83D\uDE00"
            }
        }

        test("what no checkpoint would store does not travel either") {
            ranks(1) {
                shouldThrow<SerializationException> { allGather("a\uD800b") }.message shouldBe
                    "a text has an unpaired surrogate, which is not a character"
                val deep = generateSequence(Tree(0, emptyList())) { Tree(0, listOf(it)) }.elementAt(50_000)
                shouldThrow<SerializationException> { send(0, 1, deep) }.message shouldContain
                    "it is nested in more than 500 levels"
            }
            BlockingRanks.run(1) { ranks ->
                shouldThrow<SerializationException> { ranks.send(0, 1, "\uDC00") }
            }
        }

        test("threads that block send arrays and text") {
            BlockingRanks.run(2) { ranks ->
                val other = 1 - ranks.rank
                ranks.send(other, 3, doubleArrayOf(ranks.rank + 0.5))
                ranks.send(other, 3, "rank ${ranks.rank}")
                ranks.receive(other, 3, DoubleArray::class.java).single() shouldBe other + 0.5
                ranks.receive(other, 3, String::class.java) shouldBe "rank $other"
                ranks.gather(0, intArrayOf(ranks.rank)).map { it.single() } shouldBe
                    if (ranks.rank == 0) listOf(0, 1) else emptyList()
                ranks.allGather(longArrayOf(ranks.rank.toLong())).map { it.single() } shouldBe listOf(0L, 1L)
                val root = if (ranks.rank == 1) byteArrayOf(9) else null
                ranks.broadcast(1, ByteArray::class.java, root).single() shouldBe 9
                val parts = if (ranks.rank == 0) listOf(charArrayOf('a'), charArrayOf('b')) else null
                ranks.scatter(0, CharArray::class.java, parts).single() shouldBe "ab"[ranks.rank]
                val sent = List(2) { intArrayOf(ranks.rank, it) }
                ranks.allToAll(IntArray::class.java, sent).map { it.toList() } shouldBe
                    List(2) { listOf(it, ranks.rank) }
                shouldThrow<IllegalArgumentException> { ranks.send(other, 3, listOf(1)) }.message shouldBe
                    "a java.util.Collections\$SingletonList cannot be sent: send an array of a primitive type, a " +
                    "String, or bytes"
            }
        }
    })

/** Sends [value], which is received as another type. */
private suspend inline fun <reified S : Any, reified R : Any> Communicator.refuses(value: S) =
    withClue("$value as ${R::class}") {
        send(0, 1, value)
        shouldThrow<CallsDifferException> { receive<R>(0, 1) }
    }

@Serializable
private data class Box<T>(val v: T)

@Serializable
private data class Tree<T>(val value: T, val children: List<Tree<T>>)

@Serializable
@JvmInline
private value class Meters(val value: Double)

@Serializable
@JvmInline
private value class Feet(val value: Double)

@Serializable
private data class Earlier(val t: Double, val n: String = "earlier")

@Serializable
private data class Later(val t: Float, val n: String = "later")

@Serializable
private enum class Direction { EAST, WEST }

@Serializable
private sealed interface Motion {
    @Serializable
    data class Spin(val turns: Int) : Motion

    @Serializable
    data object Rest : Motion
}

@Serializable
private data class Parcel(val text: String, val numbers: List<Int>)
