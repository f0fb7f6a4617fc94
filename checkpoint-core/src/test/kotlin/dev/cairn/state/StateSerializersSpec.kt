package dev.cairn.state

import dev.cairn.house.JDK_DEPENDENT
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.Contextual
import kotlinx.serialization.Serializable
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.contextual
import kotlinx.serialization.modules.polymorphic
import kotlinx.serialization.modules.subclass
import kotlinx.serialization.serializer
import java.math.BigDecimal
import java.math.BigInteger
import java.nio.ByteBuffer
import java.time.DayOfWeek
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

/** Types that a simulation holds and that are not `@Serializable` themselves. */
@Tags(JDK_DEPENDENT)
class StateSerializersSpec :
    FunSpec({
        test("a codec is found for each of them, and nothing of a value is lost") {
            val instant = Instant.ofEpochSecond(1, 123_456_789)
            val local = LocalDateTime.of(2025, 10, 26, 2, 30, 0, 1)
            requireSame(instant, Instant.MIN, Instant.MAX)
            requireSame(Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))
            requireSame(Period.of(1, -2, 3))
            requireSame(LocalDate.MIN, LocalDate.MAX)
            requireSame(LocalTime.of(1, 2, 3, 4))
            requireSame(local)
            requireSame(OffsetDateTime.of(local, ZoneOffset.ofHours(-3)))
            requireSame(ZonedDateTime.ofLocal(local, ZoneId.of("Europe/Berlin"), ZoneOffset.ofHours(1)))
            requireSame(ZonedDateTime.ofLocal(local, ZoneId.of("Europe/Berlin"), ZoneOffset.ofHours(2)))
            requireSame(Year.of(-5), Year.of(2025))
            requireSame(YearMonth.of(2025, 1))
            requireSame(ZoneId.of("UTC+01:00"))
            requireSame(ZoneOffset.ofHoursMinutesSeconds(1, 2, 3))
            requireSame(UUID(1, 2))
            requireSame(BigInteger.TWO.pow(200))
            requireSame(BigDecimal("1.50"), BigDecimal("1E+1000"))
            requireSame(BitSet(), BitSet.valueOf(longArrayOf(0, -1, 5)))
            requireSame(DayOfWeek.FRIDAY)
            requireSame(listOf(instant), emptyList())
            requireSame(mapOf(Year.of(3) to instant))
        }

        test("deques come back in their order, inside and outside of classes") {
            val codec = codecOf<ArrayDeque<Int>>()
            codec.decode(ByteBuffer.wrap(codec.encode(ArrayDeque(listOf(3, 1, 2))))) shouldBe
                ArrayDeque(listOf(3, 1, 2))
            val queues = Queues(ArrayDeque(listOf(0.5)), java.util.ArrayDeque(listOf("b", "a")), Instant.EPOCH)
            val both = codecOf<Queues>()
            val back = both.decode(ByteBuffer.wrap(both.encode(queues)))
            back.kotlin shouldBe queues.kotlin
            back.java.toList() shouldBe listOf("b", "a")
            back.at shouldBe Instant.EPOCH
        }

        test("their schema tells what is stored") {
            val schema = (codecOf<Queues>() as SerialCodec).schema
            schema.types["Queues"] shouldBe
                TypeSchema.Record(
                    mapOf("kotlin" to "[any]", "java" to "[any]", "at" to "text"),
                    Queues.serializer().descriptor.serialName,
                )
            (codecOf<ArrayDeque<Int>>() as SerialCodec).schema.type shouldBe "[int]"
        }

        test("a module of the program's own is asked first, and knows open classes") {
            val module =
                SerializersModule {
                    contextual(Codecs.SERIALIZERS.serializer<Year>())
                    polymorphic(Force::class) { subclass(Spring::class) }
                }
            val codec = codecOf(serializer<List<Force>>(), module)
            codec.decode(ByteBuffer.wrap(codec.encode(listOf(Spring(2.0))))) shouldBe listOf(Spring(2.0))
            val schema = (codec as SerialCodec).schema
            (schema.types["Polymorphic<Force>"] as TypeSchema.Cases).cases.values.toList() shouldBe listOf("Spring")
        }
    })

private inline fun <reified T> requireSame(vararg values: T) {
    val codec = codecOf<T>()
    for (value in values) withClue("$value") { codec.decode(ByteBuffer.wrap(codec.encode(value))) shouldBe value }
}

@Serializable
private class Queues(
    @Contextual val kotlin: ArrayDeque<Double>,
    @Contextual val java: java.util.ArrayDeque<String>,
    @Contextual val at: Instant,
)

private interface Force

@Serializable
private data class Spring(val stiffness: Double) : Force
