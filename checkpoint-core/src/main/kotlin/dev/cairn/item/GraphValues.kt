package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.textOfUtf8
import dev.cairn.event.utf8Of
import dev.cairn.state.NamedType
import dev.cairn.state.RANDOM_SERIALIZER
import dev.cairn.state.SerialCodec
import dev.cairn.state.codecOf
import dev.cairn.state.elementTypeOf
import java.io.File
import java.math.BigDecimal
import java.math.BigInteger
import java.net.URI
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.FileSystems
import java.nio.file.Path
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
import java.util.Collections
import java.util.Date
import java.util.Locale
import java.util.Random
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.locks.ReentrantLock
import java.util.concurrent.locks.ReentrantReadWriteLock
import kotlin.reflect.KClass

/** The classes of the JDK whose objects are bytes, by their names. */
internal val graphValues: Map<String, ValueForm> by lazy {
    val constant =
        BOXES + TEXTS + CODED.map { coded(it) } + CHECKED + coded(ZoneId::class, ZoneId.of("Europe/Paris").javaClass) +
            SINGLE + pathForm
    (constant + CHANGING.onEach { it.isOwned = true }).associateBy { it.name }
}

/** That of all paths of the default file system, whose classes differ from system to system. */
internal val pathForm =
    text(Path::class.java, Path::of) {
        if ((it as Path).fileSystem != FileSystems.getDefault()) throw GraphRefusal("is a path of another file system")
        "$it"
    }

private fun <T : Any> value(type: KClass<T>, encode: (T) -> ByteArray, decode: (ByteBuffer) -> T): ValueForm {
    @Suppress("UNCHECKED_CAST") // Objects of this class have this form.
    return ValueForm(type.java, encode = encode as (Any) -> ByteArray, decode = decode)
}

private fun text(type: Class<*>, parse: (String) -> Any, textOf: (Any) -> String = { "$it" }) =
    ValueForm(type, encode = { textBytes(textOf(it)) }, decode = { parse(textOfUtf8(it)) })

private fun textBytes(text: String) =
    try {
        utf8Of(text)
    } catch (_: IllegalArgumentException) {
        throw GraphRefusal("is a text with half of a pair of surrogates", "take that character out")
    }

private fun number(number: Long): ByteArray =
    ByteArray(Long.SIZE_BYTES).also { ByteBuffer.wrap(it).order(LITTLE_ENDIAN).putLong(number) }

private fun flag(isSet: Boolean, isHeld: Boolean = false): ByteArray {
    if (isHeld) throw GraphRefusal("is a lock that is held", "save when it is free")
    return byteArrayOf(if (isSet) 1 else 0)
}

private fun isSet(flag: ByteBuffer) = flag.get().toInt() != 0

private val BOXES =
    listOf(Boolean::class, Byte::class, Short::class, Char::class, Int::class, Long::class, Float::class, Double::class)
        .map { type ->
            val element = checkNotNull(elementTypeOf(type.java.name))
            val encode = { box: Any -> number(bitsOf(box)).copyOf(element.size) }
            ValueForm(type.javaObjectType, encode = encode, decode = { element.boxed(bitsIn(it, 0, element.size)) })
        }

private val TEXTS =
    listOf(
        text(String::class.java, { it }),
        text(File::class.java, { Path.of(it).toFile() }),
        text(URI::class.java, { URI(it) }),
        text(Locale::class.java, Locale::forLanguageTag) {
            val tag = (it as Locale).toLanguageTag()
            if (Locale.forLanguageTag(tag) != it) throw GraphRefusal("is the locale $it, which has no language tag")
            tag
        },
    )

/** As codecs store them. The class of a region is not public. */
private val CODED =
    listOf(BigInteger::class, UUID::class, Instant::class, Duration::class) +
        listOf(Period::class, LocalDate::class, LocalTime::class, LocalDateTime::class, OffsetTime::class) +
        listOf(OffsetDateTime::class, ZonedDateTime::class, Year::class, MonthDay::class) +
        listOf(ZoneOffset::class)

@Suppress("UNCHECKED_CAST") // As the type of the form.
private fun coded(coded: KClass<*>, type: Class<*> = coded.java, codec: SerialCodec<*> = codecOf(NamedType(coded))) =
    (codec as SerialCodec<Any?>).let { all ->
        ValueForm(type, encode = all::encode, decode = { checkNotNull(all.decode(it)) })
    }

/** Those whose texts cannot be read back if they are far from zero. */
private val CHECKED =
    listOf(
        near(coded(YearMonth::class)) { (it as YearMonth).year in -MOST_YEARS..MOST_YEARS },
        near(coded(BigDecimal::class)) { (it as BigDecimal).scale() in -MOST_SCALE..MOST_SCALE },
    )

private fun near(form: ValueForm, isNear: (Any) -> Boolean): ValueForm {
    val refusal = GraphRefusal("is a ${form.name} that cannot be read back from its text", "take one nearer to zero")
    return ValueForm(form.type, encode = { if (isNear(it)) form.encoded(it) else throw refusal }, decode = form.decode)
}

/** Those whose objects change, so that it matters whether two places hold the same one. */
private val CHANGING =
    listOf(
        coded(Random::class, codec = SerialCodec(RANDOM_SERIALIZER)),
        coded(BitSet::class),
        text(StringBuilder::class.java, ::StringBuilder),
        value(Date::class, { number(it.time) }, { Date(it.getLong()) }),
        value(AtomicInteger::class, { number(it.get().toLong()) }, { AtomicInteger(it.getLong().toInt()) }),
        value(AtomicLong::class, { number(it.get()) }, { AtomicLong(it.getLong()) }),
        value(AtomicBoolean::class, { flag(it.get()) }, { AtomicBoolean(isSet(it)) }),
        value(ReentrantLock::class, { flag(it.isFair, it.isLocked) }, { ReentrantLock(isSet(it)) }),
        value(
            ReentrantReadWriteLock::class,
            { flag(it.isFair, it.isWriteLocked || it.readLockCount > 0) },
            { ReentrantReadWriteLock(isSet(it)) },
        ),
    )

/** Of which the JDK has one object. */
private val SINGLE =
    listOf(
        Comparator.naturalOrder<String>(),
        Comparator.reverseOrder<String>(),
        String.CASE_INSENSITIVE_ORDER,
        Collections.EMPTY_LIST,
        Collections.EMPTY_SET,
        Collections.EMPTY_MAP,
    ).map { single -> ValueForm(single.javaClass, encode = { ByteArray(0) }, decode = { single }) }

private const val MOST_SCALE = 1_000_000
private const val MOST_YEARS = 9999
