package dev.cairn.state

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.messageLine
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ArraySerializer
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.nullable
import kotlinx.serialization.serializer
import java.lang.reflect.AnnotatedElement
import java.lang.reflect.RecordComponent
import java.util.EnumMap
import java.util.random.RandomGenerator
import kotlin.reflect.KClass
import kotlin.reflect.KType

/** The serializer of [type], which Kotlin's [codecOf] uses; an exception with a sentence if there is none. */
@PublishedApi
@Suppress("UNCHECKED_CAST") // It is the type of the values.
internal fun <T> serializerOf(type: KType): KSerializer<T> = SerializerLookup().of(named(type)) as KSerializer<T>

/** The same for Java's [Codecs.of]. */
@Suppress("UNCHECKED_CAST") // It is the class of the values.
internal fun <T : Any> serializerOf(type: Class<T>): KSerializer<T> =
    SerializerLookup().of(named(type)) as KSerializer<T>

/** The codec of values of [type], or of nulls if it has them. */
internal fun codecOf(type: NamedType): SerialCodec<Any?> = SerialCodec(SerializerLookup().of(type))

/** The serializer of maps from the constants of [type]. */
@Suppress("UNCHECKED_CAST") // As the types of the arguments.
internal fun <K : Enum<K>, V> serializerOfEnumMap(type: Class<K>, values: KSerializer<V>): KSerializer<EnumMap<K, V>> =
    enumMap(type, serializerOf(type), values as KSerializer<Any?>) as KSerializer<EnumMap<K, V>>

/** Finds the serializers of one type and of all of its parts. */
private class SerializerLookup {
    private val records = HashMap<NamedType, KSerializer<Any>>()

    fun of(type: NamedType): KSerializer<Any?> {
        val java = type.raw.java
        val isRecord = java.isRecord && !java.isAnnotationPresent(Serializable::class.java)
        val own =
            when {
                isRecord -> recordOf(type.copy(isNullable = false))
                java.isArray && !java.componentType.isPrimitive -> array(java, of(type.arguments.single()))
                java == EnumMap::class.java -> enumMapOf(type)
                else -> return ofLibrary(type)
            }
        @Suppress("UNCHECKED_CAST") // Nulls only where the type has them.
        return (if (type.isNullable) own.nullable else own) as KSerializer<Any?>
    }

    private fun enumMapOf(type: NamedType): KSerializer<Any> {
        val (key, value) = type.arguments
        return enumMap(key.raw.java, of(key), of(value))
    }

    @OptIn(ExperimentalSerializationApi::class)
    private fun ofLibrary(type: NamedType): KSerializer<Any?> {
        val parts = type.arguments.map(::of)
        return try {
            Codecs.SERIALIZERS.serializer(type.raw, parts, type.isNullable)
        } catch (unknown: SerializationException) {
            throw noSerializer(type.raw, unknown)
        }
    }

    /** The same for all places of a class, which may be within itself. */
    private fun recordOf(type: NamedType): KSerializer<Any> =
        records.getOrPut(type) {
            val parameters =
                type.raw.java.typeParameters
                    .map { it.name }
            val known = parameters.zip(type.arguments).toMap()
            recordSerializer(type.raw.java) { of(named(it.genericType, known).copy(isNullable = it.isNullable)) }
        }

    @Suppress("UNCHECKED_CAST") // The elements are of the array's own type.
    @OptIn(ExperimentalSerializationApi::class)
    private fun array(type: Class<*>, elements: KSerializer<Any?>): KSerializer<Any> =
        ArraySerializer(type.componentType.kotlin as KClass<Any>, elements as KSerializer<Any>) as KSerializer<Any>
}

@Suppress("UNCHECKED_CAST") // As the types of the arguments.
private fun enumMap(type: Class<*>, keys: KSerializer<*>, values: KSerializer<Any?>): KSerializer<Any> {
    val entries = MapSerializer(keys as KSerializer<Thread.State>, values)
    return StandInSerializer<EnumMap<Thread.State, Any?>, _>(entries, { it }) { map ->
        EnumMap<Thread.State, Any?>(type as Class<Thread.State>).apply { putAll(map) }
    } as KSerializer<Any>
}

/** Annotations of this name are those of several libraries. */
private val RecordComponent.isNullable: Boolean
    get() = listOf<AnnotatedElement>(this, annotatedType).any { place -> place.annotations.any { it.isNullable } }

private val Annotation.isNullable get() = annotationClass.java.simpleName == "Nullable"

internal fun noCodec(sentence: String): CheckpointException = InvalidDeclaration(Details("$sentence."))

private fun noSerializer(type: KClass<*>, unknown: SerializationException): CheckpointException {
    if (RandomGenerator::class.java.isAssignableFrom(type.java)) {
        return noCodec("a ${type.simpleName} is a random generator: declare it by generator(name, …), not as a value")
    }
    return noCodec(
        "${unknown.messageLine()}: make the class a record; or annotate it with @Serializable, and apply the " +
            "compiler plugin kotlinx-serialization in the build of the program, without which the annotation has no " +
            "effect; or pass a codec of your own",
    )
}
