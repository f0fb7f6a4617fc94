package dev.cairn.codec

import kotlinx.serialization.ContextualSerializer
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.LongArraySerializer
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
        contextual(BitSet::class, BitSetSerializer)
        contextual(ArrayDeque::class) { DequeSerializer(elementOf(it)) { list -> ArrayDeque(list) } }
        contextual(java.util.ArrayDeque::class) {
            DequeSerializer(elementOf(it)) { list -> java.util.ArrayDeque(list) }
        }
    }

private inline fun <reified T : Any> SerializersModuleBuilder.text(
    name: String,
    noinline parse: (String) -> T,
) = contextual(TextSerializer(name, parse))

/** The elements of a collection; a property that is `@Contextual` tells them only when it is written or read. */
@OptIn(ExperimentalSerializationApi::class)
@Suppress("UNCHECKED_CAST") // What the elements are, their serializer knows.
private fun elementOf(arguments: List<KSerializer<*>>): KSerializer<Any> =
    (arguments.firstOrNull() ?: ContextualSerializer(Any::class)) as KSerializer<Any>

/** A collection as a list, in the order in which it is walked through. */
private class DequeSerializer<E, D : Collection<E>>(
    element: KSerializer<E>,
    private val create: (List<E>) -> D,
) : KSerializer<D> {
    private val list = ListSerializer(element)

    override val descriptor: SerialDescriptor = list.descriptor

    override fun serialize(
        encoder: Encoder,
        value: D,
    ) = encoder.encodeSerializableValue(list, value.toList())

    override fun deserialize(decoder: Decoder): D = create(decoder.decodeSerializableValue(list))
}

private class TextSerializer<T : Any>(
    name: String,
    private val parse: (String) -> T,
) : KSerializer<T> {
    override val descriptor: SerialDescriptor = PrimitiveSerialDescriptor("dev.cairn.$name", PrimitiveKind.STRING)

    override fun serialize(
        encoder: Encoder,
        value: T,
    ) = encoder.encodeString(value.toString())

    override fun deserialize(decoder: Decoder): T = parse(decoder.decodeString())
}

/** The bits as those of longs, the lowest first; there is none behind the last bit that is set. */
private object BitSetSerializer : KSerializer<BitSet> {
    private val longs = LongArraySerializer()

    override val descriptor: SerialDescriptor = longs.descriptor

    override fun serialize(
        encoder: Encoder,
        value: BitSet,
    ) = encoder.encodeSerializableValue(longs, value.toLongArray())

    override fun deserialize(decoder: Decoder): BitSet = BitSet.valueOf(decoder.decodeSerializableValue(longs))
}
