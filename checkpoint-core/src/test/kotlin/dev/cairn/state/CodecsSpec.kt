package dev.cairn.state

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.faces.CodecsInJava
import dev.cairn.faces.CodecsInJava.Charge
import dev.cairn.faces.CodecsInJava.LaterParticle
import dev.cairn.faces.CodecsInJava.Node
import dev.cairn.faces.CodecsInJava.Particle
import dev.cairn.faces.CodecsInJava.Share
import dev.cairn.house.JDK_DEPENDENT
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.Contextual
import kotlinx.serialization.ContextualSerializer
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.contextual
import java.math.BigDecimal
import java.math.BigInteger
import java.nio.ByteBuffer
import java.time.DayOfWeek
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.MonthDay
import java.time.OffsetTime
import java.util.BitSet
import java.util.EnumMap
import java.util.LinkedList
import java.util.Optional
import java.util.Queue
import java.util.TreeMap
import java.util.TreeSet
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

/** The particle of the program in Java, in Kotlin. */
@Serializable
private class ParticleInKotlin(
    val id: Int,
    val track: Array<DoubleArray>,
    val charge: Charge,
    val name: String?,
    val seen: List<@Contextual Instant>,
    val counts: Map<String, List<Int>>,
)

private val TRACK = arrayOf(doubleArrayOf(0.5, -0.0), doubleArrayOf(), doubleArrayOf(Double.MIN_VALUE, 1e300, 2.0))

private fun particle(name: String?) =
    Particle(
        7,
        TRACK,
        Charge.NONE,
        Optional.ofNullable(name),
        listOf(Instant.MAX, Instant.EPOCH),
        linkedMapOf("z" to listOf(1, 2), "a" to emptyList()),
    )

@Tags(JDK_DEPENDENT)
@OptIn(ExperimentalSerializationApi::class)
class CodecsSpec :
    FunSpec({
        test("what Java writes Kotlin reads, and the other way round") {
            requireSame(Boolean::class.javaObjectType, true, false)
            requireSame(Char::class.javaObjectType, 'a', '\uffff')
            requireSame(Byte::class.javaObjectType, Byte.MIN_VALUE)
            requireSame(Short::class.javaObjectType, Short.MAX_VALUE)
            requireSame(Int::class.javaObjectType, Int.MIN_VALUE)
            requireSame(Long::class.javaObjectType, Long.MIN_VALUE)
            requireSame(Float::class.javaObjectType, Float.MIN_VALUE)
            requireSame(Double::class.javaObjectType, Double.MAX_VALUE, -0.0)
            requireSame(String::class.java, "", "ä𝄞")
            requireSame(BooleanArray::class.java, booleanArrayOf(true, false))
            requireSame(CharArray::class.java, charArrayOf('b', 'a'))
            requireSame(ByteArray::class.java, byteArrayOf(-1, 0))
            requireSame(ShortArray::class.java, shortArrayOf(-1, 0))
            requireSame(IntArray::class.java, intArrayOf(3, 1, 2))
            requireSame(LongArray::class.java, longArrayOf())
            requireSame(FloatArray::class.java, floatArrayOf(0.5f))
            requireSame(DoubleArray::class.java, doubleArrayOf(0.5, -0.0))
            requireSame(Array<DoubleArray>::class.java, TRACK, emptyArray())
            requireSame(Array<Array<IntArray>>::class.java, arrayOf(arrayOf(intArrayOf(1), intArrayOf()), emptyArray()))
            requireSame(Array<String>::class.java, arrayOf("b", "a"))
            requireSame(Array<Int>::class.java, arrayOf(2, 1))
            requireSame(Charge::class.java, *Charge.values())
            requireSame(UUID::class.java, UUID(1, -2))
            requireSame(Instant::class.java, Instant.MIN)
            requireSame(Duration::class.java, Duration.ofNanos(-1))
            requireSame(LocalDate::class.java, LocalDate.MAX)
            requireSame(MonthDay::class.java, MonthDay.of(2, 29))
            requireSame(OffsetTime::class.java, OffsetTime.MIN)
            requireSame(DayOfWeek::class.java, DayOfWeek.SUNDAY)
            requireSame(BigInteger::class.java, BigInteger.TWO.pow(200).negate())
            requireSame(BigDecimal::class.java, BigDecimal("1.50"))
            requireSame(BitSet::class.java, BitSet.valueOf(longArrayOf(5, 0, -1)))
            requireSame(Codecs.listOf(String::class.java), listOf("b", "a"))
            requireSame(Codecs.setOf(Long::class.javaObjectType), linkedSetOf(3L, 1L, 2L))
            requireSame(Codecs.mapOf(String::class.java, DoubleArray::class.java), mapOf("a" to doubleArrayOf(1.0)))
            requireSame(CodecsInJava.LISTS, listOf(listOf(doubleArrayOf(1.0)), emptyList()))
            requireSame(CodecsInJava.BY_ENUM, EnumMap(mapOf(Charge.POSITIVE to doubleArrayOf(2.0))))
            requireSame(CodecsInJava.BY_ENUM, EnumMap(Charge::class.java))
            requireSame(CodecsInJava.MAYBE, Optional.empty(), Optional.of(Instant.EPOCH))
            requireSame(CodecsInJava.PARTICLE, particle("p"), particle(null))
            requireSame(CodecsInJava.BY_CHARGE, mapOf(Charge.POSITIVE to particle("p")))
        }

        test("a codec of several values writes and reads each as the codec of one does, by its module") {
            fun moduleOf(prefix: String) =
                SerializersModule {
                    contextual(
                        StandInSerializer(String.serializer(), { at: Instant -> "$prefix$at" }) {
                            Instant.parse(it.removePrefix(prefix))
                        },
                    )
                }
            val instants = ContextualSerializer(Instant::class)
            val own = codecOf(instants, moduleOf("own "))
            val listed = Codecs.listOf(own)
            codecOf<List<String>>().decode(ByteBuffer.wrap(listed.encode(listOf(Instant.EPOCH)))) shouldBe
                listOf("own ${Instant.EPOCH}")
            listed.decode(ByteBuffer.wrap(listed.encode(listOf(Instant.MAX)))) shouldBe listOf(Instant.MAX)
            val texts = codecOf<Map<String, String>>()
            val byText = Codecs.mapOf(Codecs.of(String::class.java), Codecs.optionalOf(own))
            texts.decode(ByteBuffer.wrap(byText.encode(mapOf("a" to Optional.of(Instant.EPOCH))))) shouldBe
                mapOf("a" to "own ${Instant.EPOCH}")
            shouldThrow<InvalidDeclaration> { Codecs.mapOf(own, codecOf(instants, moduleOf("other "))) }
                .message shouldBe
                "the codecs of the keys and of the values have modules with different serializers of one class: " +
                "give both the same module."
        }

        test("a restored collection is of the declared class, and keeps its order") {
            fun <T> Codec<T>.again(value: T): T = decode(ByteBuffer.wrap(encode(value)))
            codecOf<LinkedList<Int>>().again(LinkedList(listOf(3, 1))) shouldBe LinkedList(listOf(3, 1))
            codecOf<TreeSet<String>>().again(TreeSet(listOf("b", "a"))).first() shouldBe "a"
            codecOf<TreeMap<Int, Charge>>().again(TreeMap(mapOf(2 to Charge.NONE))).lastKey() shouldBe 2
            val counts = codecOf<ConcurrentHashMap<String, IntArray>>()
            counts.again(ConcurrentHashMap(mapOf("a" to intArrayOf(1))))["a"] shouldBe intArrayOf(1)
            val ordered = linkedMapOf("z" to 1, "a" to 2, "m" to 3)
            Codecs
                .mapOf(String::class.java, Int::class.javaObjectType)
                .again(ordered)
                .keys
                .toList() shouldBe
                listOf("z", "a", "m")
            shouldThrow<SerializationException> {
                codecOf<TreeSet<String>>().encode(TreeSet<String>(reverseOrder()).apply { add("a") })
            }.message shouldBe
                "it is sorted by a Comparator, which cannot be stored: declare a list of its elements or entries"
        }

        test("a record is the class of the same properties in Kotlin, byte for byte, and has its schema") {
            val kotlin = codecOf<ParticleInKotlin>()
            for (name in listOf("p", null)) {
                val bytes = CodecsInJava.PARTICLE.encode(particle(name))
                val read = kotlin.decode(ByteBuffer.wrap(bytes))
                read.name shouldBe name
                read.track.map { it.toList() } shouldBe TRACK.map { it.toList() }
                read.counts shouldBe particle(name).counts
                kotlin.encode(read) shouldBe bytes
            }
            val (java, other) = listOf(CodecsInJava.PARTICLE, kotlin).map { (it as SerialCodec<*>).schema }
            (java.types["CodecsInJava\$Particle"] as TypeSchema.Record).properties shouldBe
                (other.types["ParticleInKotlin"] as TypeSchema.Record).properties
        }

        test("a record that holds records of its class, nulls where it says so, and type arguments") {
            val leaf = Node(2, Optional.empty(), "x", CodecsInJava.Pair("q", emptyList()))
            val node = Node(1, Optional.of(leaf), null, CodecsInJava.Pair("p", listOf(arrayOf(leaf))))
            val read = CodecsInJava.NODE.decode(ByteBuffer.wrap(CodecsInJava.NODE.encode(node)))
            read.next.get().note shouldBe "x"
            read.note shouldBe null
            read.rest.second
                .single()
                .single()
                .value shouldBe 2
            (CodecsInJava.NODE as SerialCodec)
                .schema.types.keys
                .filter { "Node" in it && "[" !in it } shouldBe
                listOf("CodecsInJava\$Node")
            shouldThrow<SerializationException> {
                CodecsInJava.NODE.encode(Node(1, Optional.empty(), null, null))
            }.message shouldBe "the component 'rest' of a dev.cairn.faces.CodecsInJava\$Node is null: let it be an " +
                "Optional, or annotate it with @Nullable"
        }

        test("the rules for changed properties hold for the components of a record") {
            val stored = CodecsInJava.PARTICLE as SerialCodec
            val today = CodecsInJava.LATER_PARTICLE as SerialCodec
            val changes = PropertyChanges(formerNames = mapOf("body.label" to listOf("name")))
            val fit = ValueMatching("body", stored.schema, today.schema, changes, saveNumber = 3).fit()
            fit.notes shouldBe
                listOf(
                    "'body.id' is widened from int to long.",
                    "'body.label' takes the data that save 3 holds as 'body.name'.",
                    "'body.parent' is new since save 3: it gets its default value.",
                )
            val read: LaterParticle = today.decode(ByteBuffer.wrap(stored.encode(particle("p"))), fit.renames)
            read.id shouldBe 7L
            read.label shouldBe Optional.of("p")
            read.parent shouldBe Optional.empty()
        }

        test("what the constructor of a record throws comes out as it was thrown") {
            val codec = Codecs.of(Share::class.java)
            val bytes = codec.encode(Share(0.25)).apply { this[7] = 0x40 }
            shouldThrow<IllegalArgumentException> {
                codec.decode(ByteBuffer.wrap(bytes))
            }.message!!.substringBefore(", not") shouldBe "a part is at most 1"
        }

        test("types that nothing is known about are refused in a sentence that says what to do") {
            fun refusal(declare: () -> Codec<*>) =
                shouldThrow<InvalidDeclaration> { (declare() as SerialCodec).schema }.message
            refusal { Codecs.of(Thread::class.java) } shouldBe
                "Serializer for class 'Thread' is not found: make the class a record; or annotate it with " +
                "@Serializable, and apply the compiler plugin kotlinx-serialization in the build of the program, " +
                "without which the annotation has no effect; or pass a codec of your own."
            refusal { Codecs.of(Held::class.java) } shouldBe refusal { Codecs.of(Thread::class.java) }
            refusal { Codecs.of(List::class.java) } shouldBe
                "'java.util.List' has type arguments, which a class does not name: name them, as " +
                "Codecs.listOf(String.class) does."
            refusal { codecOf<Queue<Int>>() } shouldBe
                refusal { Codecs.of(Thread::class.java) }?.replace("Thread", "Queue")
            refusal { Codecs.listOf(Codecs.LONG) } shouldBe
                "the codec of the format 'long' cannot be part of another one: use Codecs.of(…) for the parts."
        }
    })

@JvmRecord
private data class Held(val thread: Thread)

private inline fun <reified T : Any> requireSame(type: Class<T>, vararg values: T) =
    requireSame(Codecs.of(type), *values)

/** The codec that Kotlin has for the type writes the same bytes and reads them; equal bytes of what it has read are an equal value. */
private inline fun <reified T> requireSame(java: Codec<T>, vararg values: T) {
    val kotlin = codecOf<T>()
    (java as SerialCodec<T>).schema shouldBe (kotlin as SerialCodec<T>).schema
    for (value in values) {
        withClue("${T::class}: $value") {
            val bytes = java.encode(value)
            kotlin.encode(value) shouldBe bytes
            kotlin.encode(kotlin.decode(ByteBuffer.wrap(bytes))) shouldBe bytes
            val read = java.decode(ByteBuffer.wrap(bytes))
            java.encode(read) shouldBe bytes
            if (value !is Map<*, *> && value !is List<*> && value !is Particle) read shouldBe value
        }
    }
}
