package dev.cairn.item

import dev.cairn.grid.StreamGenerator
import dev.cairn.state.PartsSerializer
import dev.cairn.state.SerialCodec
import dev.cairn.state.unwrapped
import kotlinx.serialization.KSerializer
import kotlinx.serialization.serializer
import java.lang.reflect.Array.getLength
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.security.SecureRandom
import java.util.concurrent.ThreadLocalRandom

/**
 * A class of generators whose state is in its fields, which are numbers and arrays of them, as in most libraries: Apache Commons RNG and
 * Math, Kotlin, Mersenne Twisters in one file. They are read and set where they are.
 */
internal class GeneratorFields(private val name: String, private val type: Class<*>) {
    private val fields: List<Field> = fieldsOfState()

    val codec: SerialCodec<List<Any?>> =
        SerialCodec(
            PartsSerializer(algorithmOf(type), fields.map(::nameOf)) { numbersOf(fields[it].type) },
            format = algorithmOf(type),
        )

    fun read(generator: Any): List<Any?> =
        fields.map {
            it.get(generator)
                ?: throw notStorable(
                    name,
                    "'$name' cannot be stored: the field '${it.name}' of its generator is null. Let the generator " +
                        "make it in its constructor.",
                )
        }

    fun write(generator: Any, state: List<Any?>) =
        fields.zip(state) { field, value -> field.write(generator, checkNotNull(value)) }

    /** The function that seeds a generator anew. */
    fun seeding(): (generator: Any, seed: Long) -> Unit {
        val setSeed =
            type.methods.find { it.name == "setSeed" && it.parameterTypes.contentEquals(arrayOf(Long::class.java)) }
                ?: throw invalid(
                    name,
                    "the generator '$name' is of ${type.name}, which has no setSeed(long): leave out its seed.",
                )
        setSeed.trySetAccessible()
        return { generator, seed -> unwrapped { setSeed.invoke(generator, seed) } }
    }

    /** Those of all classes from the uppermost one on. Refuses a class whose state may be elsewhere. */
    private fun fieldsOfState(): List<Field> {
        requireFittingClass()
        val classes = generateSequence(type) { it.superclass }.toList().reversed()
        val (shared, own) = classes.flatMap { it.declaredFields.asList() }.partition { Modifier.isStatic(it.modifiers) }
        own.forEach(::requireNumbers)
        own.forEach(::requireOpen)
        shared.find(::mayHoldState)?.let {
            throw refusal("has the static field '${it.name}', which other generators share")
        }
        if (own.isEmpty()) throw refusal("has no fields, so that its state is elsewhere")
        return own
    }

    /** A class of which a restart finds the same one, and whose fields are the state and can be set. */
    private fun requireFittingClass() {
        when {
            isA<ThreadLocalRandom>() -> throw refusal("has a state for each thread, and shows none")
            isA<SecureRandom>() -> throw refusal("makes numbers that no state repeats")
            type.packageName == "java.lang" -> throw refusal("is no generator")
            type.isRecord -> throw refusal("is a record, whose fields cannot be set")
            hasPassingName(type) -> throw refusal("has no name of its own, by which a restart knows it")
        }
    }

    private inline fun <reified T> isA() = T::class.java.isAssignableFrom(type)

    private fun requireNumbers(field: Field) {
        val cells = if (field.type.isArray) field.type.componentType else field.type
        if (!cells.isPrimitive) {
            throw refusal("has the field '${field.name}' of ${field.type.typeName}, so that its state is not known")
        }
    }

    private fun requireOpen(field: Field) {
        if (!field.trySetAccessible()) {
            throw refusal("shows no state", " Or start Java with ${opening(field.declaringClass)}.")
        }
    }

    /** A class may hide a field of another one by its name. */
    private fun nameOf(field: Field): String {
        val isAlone = fields.count { it.name == field.name } == 1
        return if (isAlone) field.name else "${field.declaringClass.simpleName}: ${field.name}"
    }

    private fun refusal(why: String, other: String = "") =
        invalid(
            name,
            "the generator '$name' is of ${type.name}, which $why: use a java.util.Random or " +
                "RandomStreams.generator(id), or declare the arrays of its state with their algorithm.$other",
        )
}

/** Whether another run, or the next version of the program, may give the class another name: of a lambda it has an address. */
private fun hasPassingName(type: Class<*>) = type.isHidden || type.isAnonymousClass || type.isLocalClass

/**
 * Whether a static field may hold state, which no field of the generator shows: it changes, or what it holds may change. A constant
 * table cannot be told from state, so only the tables of known libraries are taken.
 */
private fun mayHoldState(shared: Field): Boolean =
    !Modifier.isFinal(shared.modifiers) || !(isConstant(shared.type) || isKnown(shared.declaringClass))

/** Such as a number, a text, or the companion of a class in Kotlin. */
private fun isConstant(type: Class<*>): Boolean =
    type.isPrimitive || type.isEnum || type in CONSTANTS || hasNoFields(type)

private fun hasNoFields(type: Class<*>): Boolean =
    Modifier.isFinal(type.modifiers) &&
        !type.isArray &&
        type.superclass == Any::class.java &&
        type.declaredFields.all { Modifier.isStatic(it.modifiers) }

private fun isKnown(type: Class<*>) = KNOWN_LIBRARIES.any { type.name.startsWith(it) }

private val CONSTANTS =
    setOf(String::class.java, Int::class.javaObjectType, Long::class.javaObjectType, Double::class.javaObjectType)

/** Libraries of whose generators the static fields are tables, and sources of seeds. */
private val KNOWN_LIBRARIES =
    listOf("java.", "jdk.", "kotlin.random.", "org.apache.commons.math3.random.", "org.apache.commons.rng.")

/** What is stored as the name of the algorithm of generators of [type]. */
private fun algorithmOf(type: Class<*>): String =
    if (type == StreamGenerator::class.java) RandomStreamsKind.ALGORITHM else type.name

@Suppress("UNCHECKED_CAST") // As the type of the field.
private fun numbersOf(type: Class<*>): KSerializer<Any?> = serializer(type) as KSerializer<Any?>

/** Arrays of the same size stay where they are, since other objects may hold them. */
private fun Field.write(generator: Any, value: Any) {
    val present = get(generator)
    when {
        present == value -> return
        present != null && type.isArray && getLength(present) == getLength(value) -> present.takeCells(value)
        else -> set(generator, value)
    }
}

private fun Any.takeCells(array: Any) = System.arraycopy(array, 0, this, 0, getLength(array))

private fun opening(type: Class<*>): String {
    val reader = GeneratorKind::class.java.module
    return "--add-opens ${type.module.name}/${type.packageName}=${if (reader.isNamed) reader.name else "ALL-UNNAMED"}"
}
