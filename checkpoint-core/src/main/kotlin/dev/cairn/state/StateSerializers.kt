package dev.cairn.state

import kotlinx.serialization.ContextualSerializer
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.LongArraySerializer
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.SetSerializer
import kotlinx.serialization.builtins.nullable
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.SerializersModuleBuilder
import kotlinx.serialization.modules.contextual
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.MonthDay
import java.time.OffsetDateTime
import java.time.OffsetTime
import java.time.Period
import java.time.Year
import java.time.YearMonth
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.ZonedDateTime
import java.util.BitSet
import java.util.LinkedList
import java.util.Optional
import java.util.TreeMap
import java.util.TreeSet
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.ArrayDeque as JavaDeque

/** [Codecs.SERIALIZERS]. Times and numbers are stored as the text that their `toString` gives, which has all of their digits. */
internal val stateSerializers: SerializersModule =
    SerializersModule {
        text("Instant", Instant::parse)
        text("Duration", Duration::parse)
        text("Period", Period::parse)
        text("LocalDate", LocalDate::parse)
        text("LocalTime", LocalTime::parse)
        text("LocalDateTime", LocalDateTime::parse)
        text("OffsetTime", OffsetTime::parse)
        text("OffsetDateTime", OffsetDateTime::parse)
        text("ZonedDateTime", ZonedDateTime::parse)
        text("Year", Year::parse)
        text("YearMonth", YearMonth::parse)
        text("MonthDay", MonthDay::parse)
        text("ZoneId", ZoneId::of)
        text("ZoneOffset", ZoneOffset::of)
        text("UUID", UUID::fromString)
        text("BigInteger", ::BigInteger)
        text("BigDecimal", ::BigDecimal)
        // The bits as those of longs, the lowest first; there is none behind the last bit that is set.
        contextual(StandInSerializer(LongArraySerializer(), BitSet::toLongArray) { BitSet.valueOf(it) })
        list { ArrayDeque(it) }
        list { JavaDeque(it) }
        list { LinkedList(it) }
        contextual(TreeSet::class) { arguments ->
            val elements = SetSerializer(argument(arguments, 0))
            StandInSerializer(
                elements,
                { set: TreeSet<Any> -> set.apply { requireNatural(comparator()) } },
            ) { TreeSet(it) }
        }
        contextual(TreeMap::class) { arguments ->
            val entries = entriesOf(arguments)
            StandInSerializer(
                entries,
                { map: TreeMap<Any, Any> -> map.apply { requireNatural(comparator()) } },
            ) { TreeMap(it) }
        }
        contextual(ConcurrentHashMap::class) { arguments ->
            StandInSerializer(
                entriesOf(arguments),
                { map: ConcurrentHashMap<Any, Any> -> map },
            ) { ConcurrentHashMap(it) }
        }
        contextual(Optional::class) { serializerOfOptional(argument(it, 0)) }
    }

private inline fun <reified T : Any> SerializersModuleBuilder.text(name: String, noinline parse: (String) -> T) =
    contextual(
        StandInSerializer(
            String.serializer(),
            { "$it" },
            PrimitiveSerialDescriptor("dev.cairn.$name", PrimitiveKind.STRING),
            parse,
        ),
    )

/** Collections of the class [C], which are written as lists, and which [make] makes of them. */
private inline fun <reified C : Collection<Any>> SerializersModuleBuilder.list(noinline make: (List<Any>) -> C) =
    contextual(C::class) { arguments ->
        StandInSerializer(ListSerializer(argument(arguments, 0)), { it: C -> it.toList() }, decode = make)
    }

/** The serializer of a type argument; a property that is `@Contextual` tells them only when it is written or read. */
@OptIn(ExperimentalSerializationApi::class)
@Suppress("UNCHECKED_CAST") // What the elements are, their serializer knows.
private fun argument(arguments: List<KSerializer<*>>, index: Int): KSerializer<Any> =
    (arguments.getOrNull(index) ?: ContextualSerializer(Any::class)) as KSerializer<Any>

private fun entriesOf(arguments: List<KSerializer<*>>) = MapSerializer(argument(arguments, 0), argument(arguments, 1))

internal fun <T : Any> serializerOfOptional(value: KSerializer<T>): KSerializer<Optional<T>> =
    StandInSerializer(value.nullable, { it.orElse(null) }) { Optional.ofNullable(it) }

private fun requireNatural(order: Comparator<*>?) {
    if (order != null) {
        throw SerializationException(
            "it is sorted by a Comparator, which cannot be stored: declare a list of its elements or entries",
        )
    }
}

/** Stores another value for one: [encode] makes it, and [decode] makes the value of it. */
internal class StandInSerializer<T, S>(
    private val stored: KSerializer<S>,
    private val encode: (T) -> S,
    override val descriptor: SerialDescriptor = stored.descriptor,
    private val decode: (S) -> T,
) : KSerializer<T> {
    override fun serialize(encoder: Encoder, value: T) = encoder.encodeSerializableValue(stored, encode(value))

    override fun deserialize(decoder: Decoder): T = decode(decoder.decodeSerializableValue(stored))
}
