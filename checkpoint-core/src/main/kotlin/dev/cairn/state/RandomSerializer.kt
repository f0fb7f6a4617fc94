package dev.cairn.state

import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.nio.ByteBuffer
import java.util.Random

/**
 * A `java.util.Random`, as a class with the names of its serialized form: a seed of 48 bits, whether the next Gaussian number was made with
 * the last one, and that number. No other door leads to them; of the form itself nothing is stored.
 */
@Suppress("UNCHECKED_CAST") // As the types of the parts.
internal val RANDOM_SERIALIZER: KSerializer<Random> =
    StandInSerializer(
        PartsSerializer("java.util.Random", listOf("haveNextNextGaussian", "nextNextGaussian", "seed")) {
            listOf(Boolean.serializer(), Double.serializer(), Long.serializer())[it] as KSerializer<Any?>
        },
        ::partsOf,
        decode = ::randomOf,
    )

/** The parts in the order of the serialized form, which is that of their names, without the end of the object. */
private const val PARTS_SIZE = 1 + Double.SIZE_BYTES + Long.SIZE_BYTES
private const val END_SIZE = 1

private fun partsOf(random: Random): List<Any?> {
    if (random.javaClass != Random::class.java) {
        throw SerializationException("it holds a ${random.javaClass.name}, which is no java.util.Random itself")
    }
    val parts = ByteBuffer.wrap(formOf(random)).run { position(limit() - END_SIZE - PARTS_SIZE) }
    return listOf(parts.get() != 0.toByte(), parts.getDouble(), parts.getLong())
}

private fun randomOf(parts: List<Any?>): Random {
    val (hasGaussian, gaussian, seed) = parts
    val form = formOf(Random(0))
    ByteBuffer
        .wrap(form)
        .position(form.size - END_SIZE - PARTS_SIZE)
        .put(if (hasGaussian as Boolean) 1 else 0)
        .putDouble(gaussian as Double)
        .putLong(seed as Long)
    return ObjectInputStream(ByteArrayInputStream(form)).readObject() as Random
}

private fun formOf(random: Random): ByteArray =
    ByteArrayOutputStream().apply { ObjectOutputStream(this).use { it.writeObject(random) } }.toByteArray()
