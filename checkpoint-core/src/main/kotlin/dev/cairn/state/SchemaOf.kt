package dev.cairn.state

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementDescriptors
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.descriptors.getContextualDescriptor
import kotlinx.serialization.descriptors.getPolymorphicDescriptors
import kotlinx.serialization.descriptors.nonNullOriginal
import kotlinx.serialization.modules.SerializersModule

/** The schema of what [descriptor] describes. */
internal fun valueSchema(descriptor: SerialDescriptor, module: SerializersModule): ValueSchema =
    SchemaBuilder(module).run { ValueSchema(nameOf(descriptor), types) }

/** Gives each type a name before it looks into it, so a type may have parts of its own kind. */
@OptIn(ExperimentalSerializationApi::class)
private class SchemaBuilder(private val module: SerializersModule) {
    private val names = HashMap<SerialDescriptor, String>()
    val types = LinkedHashMap<String, TypeSchema>()

    fun nameOf(descriptor: SerialDescriptor): String {
        val actual = actual(descriptor)
        val name = nameOfPrimitive(actual) ?: nameOfType(actual.nonNullOriginal)
        return if (actual.isNullable || descriptor.isNullable) "$name?" else name
    }

    /** Without wrapper types that are not stored. */
    private tailrec fun actual(descriptor: SerialDescriptor): SerialDescriptor {
        val inside =
            when {
                descriptor.kind == SerialKind.CONTEXTUAL -> module.getContextualDescriptor(descriptor)
                descriptor.isInline && nameOfUnsigned(descriptor) == null -> descriptor.getElementDescriptor(0)
                else -> null
            }
        return if (inside == null) descriptor else actual(inside)
    }

    private fun nameOfUnsigned(descriptor: SerialDescriptor): String? =
        UNSIGNED_NAMES[descriptor.nonNullOriginal.serialName]

    private fun nameOfPrimitive(descriptor: SerialDescriptor): String? =
        when (val kind = descriptor.kind) {
            PrimitiveKind.STRING -> "text"
            is PrimitiveKind -> "$kind".lowercase()
            SerialKind.CONTEXTUAL -> ANY
            else -> nameOfUnsigned(descriptor)
        }

    private fun nameOfType(descriptor: SerialDescriptor): String =
        names[descriptor] ?: when (descriptor.kind) {
            StructureKind.LIST -> nameOfCollection(descriptor)
            StructureKind.MAP -> nameOfMap(descriptor)
            else -> newName(descriptor).also { types[it] = typeOf(descriptor) }
        }

    private fun nameOfCollection(descriptor: SerialDescriptor): String {
        val element = nameOf(descriptor.getElementDescriptor(0))
        return if (descriptor.serialName in SETS) {
            collection("{$element}", TypeSchema.Distinct(element))
        } else {
            collection("[$element]", TypeSchema.Sequence(element))
        }
    }

    private fun nameOfMap(descriptor: SerialDescriptor): String {
        val (key, value) = descriptor.elementDescriptors.map(::nameOf)
        return collection("{$key: $value}", TypeSchema.Dictionary(key, value))
    }

    private fun collection(name: String, type: TypeSchema): String = name.also { types[it] = type }

    /** Types of different packages, or with different type arguments, may be called alike. */
    private fun newName(descriptor: SerialDescriptor): String {
        val wanted = descriptor.serialName.substringAfterLast('.')
        val taken = names.values + PRIMITIVES
        val others = generateSequence(2) { it + 1 }.map { "$wanted $it" }
        val name = if (wanted in taken) others.first { it !in taken } else wanted
        names[descriptor] = name
        return name
    }

    private fun typeOf(descriptor: SerialDescriptor): TypeSchema =
        when (descriptor.kind) {
            SerialKind.ENUM -> TypeSchema.Constants(descriptor.elementNames.toList(), descriptor.serialName)
            is PolymorphicKind -> TypeSchema.Cases(casesOf(descriptor), descriptor.serialName)
            else -> recordOf(descriptor)
        }

    private fun casesOf(descriptor: SerialDescriptor): Map<String, String> {
        val cases =
            if (descriptor.kind == PolymorphicKind.SEALED) {
                descriptor.getElementDescriptor(1).elementDescriptors
            } else {
                module.getPolymorphicDescriptors(descriptor)
            }
        return cases.associate { it.serialName to nameOf(it) }
    }

    private fun recordOf(descriptor: SerialDescriptor): TypeSchema.Record {
        val indices = 0 until descriptor.elementsCount
        return TypeSchema.Record(
            indices.associate { descriptor.getElementName(it) to nameOf(descriptor.getElementDescriptor(it)) },
            descriptor.serialName,
            indices.filter(descriptor::isElementOptional).map(descriptor::getElementName).toSet(),
        )
    }
}

private const val ANY = "any"
private val UNSIGNED_NAMES = listOf("UByte", "UShort", "UInt", "ULong").associate { "kotlin.$it" to it.lowercase() }
private val SETS = setOf("kotlin.collections.LinkedHashSet", "kotlin.collections.HashSet")
private val PRIMITIVES =
    listOf("boolean", "byte", "short", "char", "int", "long", "float", "double", "text", ANY) + UNSIGNED_NAMES.values
