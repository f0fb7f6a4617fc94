package dev.cairn.state

import kotlinx.serialization.ContextualSerializer
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.LongArraySerializer
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
import java.time.OffsetDateTime
import java.time.Period
import java.time.Year
import java.time.YearMonth
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.ZonedDateTime
import java.util.BitSet
import java.util.UUID
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
        text("OffsetDateTime", OffsetDateTime::parse)
        text("ZonedDateTime", ZonedDateTime::parse)
        text("Year", Year::parse)
        text("YearMonth", YearMonth::parse)
        text("ZoneId", ZoneId::of)
        text("ZoneOffset", ZoneOffset::of)
        text("UUID", UUID::fromString)
        text("BigInteger", ::BigInteger)
        text("BigDecimal", ::BigDecimal)
        // The bits as those of longs, the lowest first; there is none behind the last bit that is set.
        contextual(StandInSerializer(LongArraySerializer(), BitSet::toLongArray) { BitSet.valueOf(it) })
        contextual(ArrayDeque::class) {
            StandInSerializer(listFor(it), { deque: ArrayDeque<Any> -> deque.toList() }) { list -> ArrayDeque(list) }
        }
        contextual(JavaDeque::class) {
            StandInSerializer(listFor(it), { deque: JavaDeque<Any> -> deque.toList() }) { list -> JavaDeque(list) }
        }
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

/** The serializer of a list with these [arguments]; a property that is `@Contextual` tells them only when it is written or read. */
@OptIn(ExperimentalSerializationApi::class)
@Suppress("UNCHECKED_CAST") // What the elements are, their serializer knows.
private fun listFor(arguments: List<KSerializer<*>>): KSerializer<List<Any>> =
    ListSerializer((arguments.firstOrNull() ?: ContextualSerializer(Any::class)) as KSerializer<Any>)

/** Stores another value for one: [encode] makes it, and [decode] makes the value of it. */
private class StandInSerializer<T, S>(
    private val stored: KSerializer<S>,
    private val encode: (T) -> S,
    override val descriptor: SerialDescriptor = stored.descriptor,
    private val decode: (S) -> T,
) : KSerializer<T> {
    override fun serialize(encoder: Encoder, value: T) = encoder.encodeSerializableValue(stored, encode(value))

    override fun deserialize(decoder: Decoder): T = decode(decoder.decodeSerializableValue(stored))
}
