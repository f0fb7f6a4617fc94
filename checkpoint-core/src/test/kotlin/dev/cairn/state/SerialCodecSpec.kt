package dev.cairn.state

import dev.cairn.house.JDK_DEPENDENT
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.cbor.Cbor
import kotlinx.serialization.serializer
import java.nio.ByteBuffer
import java.util.HexFormat
import java.util.Objects
import kotlin.random.Random

/** Values as bytes: CBOR as the library writes it, but for arrays of primitives. */
@OptIn(ExperimentalSerializationApi::class)
@Tags(JDK_DEPENDENT)
class SerialCodecSpec :
    FunSpec({
        test("what has no primitive arrays is written byte for byte as in format 1.0") {
            for (seed in 1..100) {
                val sample = Sample.random(Random(seed))
                withClue("seed $seed") {
                    hex(codecOf<Sample>().encode(sample)) shouldBe hex(library.encodeToByteArray(serializer(), sample))
                }
            }
        }

        test("what format 1.0 has is read, with arrays element by element and an empty map for a null object") {
            for (seed in 1..100) {
                val random = Random(seed)
                withClue("seed $seed") {
                    val arrays = Arrays.random(random)
                    val bytes = library.encodeToByteArray(serializer(), arrays)
                    codecOf<Arrays>().decode(ByteBuffer.wrap(bytes)) shouldBe arrays
                    val sample = Sample.random(random).copy(inner = null)
                    val old = library.encodeToByteArray(serializer(), sample)
                    codecOf<Sample>().decode(ByteBuffer.wrap(old)) shouldBe sample
                }
            }
        }

        test("arrays of all primitive types come back from bulk") {
            for (seed in 1..100) {
                val arrays = Arrays.random(Random(seed))
                withClue("seed $seed") { codecOf<Arrays>().roundTrip(arrays) shouldBe arrays }
            }
        }

        test("arrays are the typed arrays of RFC 8746, little-endian") {
            fun <T> bytes(codec: Codec<T>, value: T) = hex(codec.encode(value))
            bytes(codecOf(), doubleArrayOf(1.0, -2.0)) shouldBe "d85650000000000000f03f00000000000000c0"
            bytes(codecOf(), floatArrayOf(1f)) shouldBe "d855440000803f"
            bytes(codecOf(), longArrayOf(1)) shouldBe "d84f480100000000000000"
            bytes(codecOf(), intArrayOf(-2)) shouldBe "d84e44feffffff"
            bytes(codecOf(), shortArrayOf(258)) shouldBe "d84d420201"
            bytes(codecOf(), charArrayOf('a')) shouldBe "d845426100"
            bytes(codecOf(), byteArrayOf(-1, 2)) shouldBe "42ff02"
            bytes(codecOf(), booleanArrayOf(true, false)) shouldBe "82f5f4"
            bytes(codecOf(), listOf(byteArrayOf())) shouldBe "9f40ff"
        }

        test("large arrays take hardly more than their bytes") {
            val arrays = Holder(List(3) { DoubleArray(100_000) { it * 0.5 } })
            val bytes = codecOf<Holder<DoubleArray>>().encode(arrays)
            (bytes.size < 3 * 800_000 + 100) shouldBe true
            codecOf<Holder<DoubleArray>>().decode(ByteBuffer.wrap(bytes)).all[2].toList() shouldBe
                arrays.all[2].toList()
        }

        test("an array is a list, and a list an array") {
            fun <A, B> into(from: Codec<A>, value: A, to: Codec<B>) = to.decode(ByteBuffer.wrap(from.encode(value)))
            into(codecOf(), doubleArrayOf(1.5, 2.5), codecOf<List<Double>>()) shouldBe listOf(1.5, 2.5)
            into(codecOf(), byteArrayOf(1, -2), codecOf<List<Int>>()) shouldBe listOf(1, -2)
            into(codecOf(), charArrayOf('x'), codecOf<List<Char>>()) shouldBe listOf('x')
            into(codecOf(), floatArrayOf(0.1f), codecOf<List<Double>>()) shouldBe listOf(0.1f.toDouble())
            into(codecOf(), booleanArrayOf(true), codecOf<List<Boolean>>()) shouldBe listOf(true)
            into(codecOf(), listOf(1, 2), codecOf<LongArray>()).toList() shouldBe listOf(1L, 2L)
            into(codecOf(), listOf(true), codecOf<BooleanArray>()).toList() shouldBe listOf(true)
        }

        test("numbers that do not fit are refused, and never cut") {
            val large = ByteBuffer.wrap(codecOf<Long>().encode(1L shl 40))
            shouldThrow<SerializationException> { codecOf<Int>().decode(large) }.message shouldBe
                "byte 0 should begin a number from -2147483648 to 2147483647, but is 1b"
            val doubles = ByteBuffer.wrap(codecOf<DoubleArray>().encode(doubleArrayOf(0.5)))
            shouldThrow<SerializationException> { codecOf<FloatArray>().decode(doubles) }.message shouldBe
                "an array of double is not one of float"
        }

        test("half of a pair of surrogates is no text, and not made a question mark") {
            shouldThrow<SerializationException> { codecOf<String>().encode("a\ud800b") }.message shouldBe
                "a text has an unpaired surrogate, which is not a character"
        }

        test("what is nested too deep is refused before the stack overflows") {
            fun chain(length: Int) = (1..length).fold(null as Chain?) { next, _ -> Chain(next) }
            codecOf<Chain?>().roundTrip(chain(500)) shouldBe chain(500)
            shouldThrow<SerializationException> { codecOf<Chain?>().encode(chain(501)) }.message shouldContain
                "nested in more than 500 levels"
        }

        test("more bytes than a value can have are refused before they are allocated") {
            val one = LongArray(1 shl 20)
            val all = List(256) { one }
            shouldThrow<SerializationException> { codecOf<List<LongArray>>().encode(all) }.message shouldBe
                "a value has at most 2147483639 bytes, and this one has more: store its arrays as fields or as " +
                "tables, or divide it into several values"
        }

        test("damaged bytes are an exception of their own, and no large allocation") {
            val arrays = codecOf<Arrays>()
            val samples = codecOf<Sample>()
            for (seed in 1..100) {
                val random = Random(seed)
                withClue("seed $seed") {
                    arrays.damage(arrays.encode(Arrays.random(random)), random)
                    samples.damage(samples.encode(Sample.random(random)), random)
                    samples.damage(random.nextBytes(40), random)
                }
            }
        }

        test("properties that the class does not have are left out, however they are stored") {
            val codec = codecOf<OnlyName>()
            val bytes = codecOf<Sample>().encode(Sample.random(Random(1)).copy(text = "kept"))
            codec.decode(ByteBuffer.wrap(bytes)) shouldBe OnlyName("kept")
            val others = HexFormat.of().parseHex("a3617882a0f6617ac11a514b67b06474657874626f6b")
            codec.decode(ByteBuffer.wrap(others)) shouldBe OnlyName("ok")
        }
    })

/** How values of format 1.0 were written. */
@OptIn(ExperimentalSerializationApi::class)
private val library = Cbor { encodeDefaults = true }

private fun hex(bytes: ByteArray): String = HexFormat.of().formatHex(bytes)

private fun <T> Codec<T>.roundTrip(value: T): T = decode(ByteBuffer.wrap(encode(value)))

private fun Codec<*>.damage(bytes: ByteArray, random: Random) =
    repeat(20) {
        val damaged = bytes.copyOf(if (random.nextBoolean()) bytes.size else random.nextInt(bytes.size + 1))
        repeat(if (damaged.isEmpty()) 0 else random.nextInt(3)) {
            damaged[random.nextInt(damaged.size)] = random.nextInt().toByte()
        }
        try {
            decode(ByteBuffer.wrap(damaged))
        } catch (refused: IllegalArgumentException) {
            refused.message.orEmpty().isNotEmpty() shouldBe true
        }
    }

@Serializable
private data class OnlyName(val text: String)

@Serializable
private data class Chain(val next: Chain?)

@Serializable
private class Holder<T>(val all: List<T>)

@Serializable
private data class Sample(
    val text: String,
    val number: Int,
    val numbers: List<Long>,
    val byName: Map<String, Double?>,
    val letter: Char,
    val isOn: Boolean,
    val inner: Inner?,
    val kind: Kind,
    val id: Id,
    val single: Float,
    val unsigned: UInt,
    val pairs: Set<Pair<Short, Byte>>,
    val nothing: String? = null,
) {
    companion object {
        fun random(random: Random) =
            Sample(
                text = "é".repeat(random.nextInt(300)),
                number = random.nextInt(),
                numbers = List(random.nextInt(5)) { random.nextLong() shr random.nextInt(64) },
                byName = List(random.nextInt(4)) { "$it" to random.nextDouble().takeIf { x -> x > 0.2 } }.toMap(),
                letter = Char(random.nextInt(0xd800)),
                isOn = random.nextBoolean(),
                inner = if (random.nextBoolean()) Inner.Leaf(random.nextInt()) else Inner.Empty,
                kind = Kind.values().random(random),
                id = Id(random.nextLong()),
                single = Float.fromBits(random.nextInt()),
                unsigned = random.nextInt().toUInt(),
                pairs = List(random.nextInt(3)) { it.toShort() to (-it).toByte() }.toSet(),
            )
    }
}

private enum class Kind { HEAVY, LIGHT }

@JvmInline
@Serializable
private value class Id(val value: Long)

@Serializable
private sealed interface Inner {
    @Serializable
    @SerialName("leaf")
    data class Leaf(val depth: Int) : Inner

    @Serializable
    @SerialName("empty")
    data object Empty : Inner
}

@Serializable
private class Arrays(
    val booleans: BooleanArray,
    val bytes: ByteArray,
    val shorts: ShortArray,
    val chars: CharArray,
    val ints: IntArray,
    val longs: LongArray,
    val floats: FloatArray,
    val doubles: DoubleArray,
    val rows: Array<DoubleArray>,
    val maybe: List<IntArray?>,
) {
    private val all get() =
        arrayOf<Any>(
            booleans,
            bytes,
            shorts,
            chars,
            ints,
            longs,
            floats,
            doubles,
            rows,
            maybe.toTypedArray(),
        )

    override fun equals(other: Any?) = other is Arrays && Objects.deepEquals(all, other.all)

    override fun hashCode() = all.contentDeepHashCode()

    companion object {
        fun random(random: Random): Arrays {
            val size = random.nextInt(4) * random.nextInt(700)
            return Arrays(
                BooleanArray(size) { random.nextBoolean() },
                random.nextBytes(size),
                ShortArray(size) { random.nextInt().toShort() },
                CharArray(size) { Char(random.nextInt(0x10000)) },
                IntArray(size) { random.nextInt() },
                LongArray(size) { random.nextLong() },
                FloatArray(size) { random.nextFloat() },
                DoubleArray(size) { random.nextDouble() },
                Array(random.nextInt(3)) { DoubleArray(size) { random.nextDouble() } },
                List(random.nextInt(3)) { number -> IntArray(size).takeIf { number > 0 } },
            )
        }
    }
}
