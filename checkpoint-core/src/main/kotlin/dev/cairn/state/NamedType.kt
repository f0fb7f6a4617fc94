package dev.cairn.state

import java.lang.reflect.GenericArrayType
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Type
import java.lang.reflect.TypeVariable
import java.lang.reflect.WildcardType
import kotlin.reflect.KClass
import kotlin.reflect.KType

/** A type and its arguments, in Kotlin or in Java. */
internal data class NamedType(
    val raw: KClass<*>,
    val arguments: List<NamedType> = emptyList(),
    val isNullable: Boolean = false,
)

internal fun named(type: KType): NamedType {
    val raw = type.classifier as? KClass<*> ?: throw noCodec("'$type' is a type parameter: name a type")
    val arguments =
        type.arguments.map { named(it.type ?: throw noCodec("'$type' leaves a type argument open: name it")) }
    return NamedType(raw, arguments, type.isMarkedNullable)
}

/** As [type] is where its parameters stand for the [known] types. */
internal fun named(type: Type, known: Map<String, NamedType>): NamedType =
    when (type) {
        is Class<*> -> named(type)
        is ParameterizedType -> named(type, known)
        is GenericArrayType -> arrayOfObjects(named(type.genericComponentType, known))
        is WildcardType -> named(type.upperBounds.first(), known)
        is TypeVariable<*> -> known[type.name]
        else -> null
    } ?: throw noCodec("'${type.typeName}' is a type parameter: name a type")

private fun named(type: ParameterizedType, known: Map<String, NamedType>) =
    NamedType((type.rawType as Class<*>).kotlin, type.actualTypeArguments.map { named(it, known) })

internal fun named(type: Class<*>): NamedType {
    if (type.typeParameters.isNotEmpty()) {
        throw noCodec(
            "'${type.name}' has type arguments, which a class does not name: name them, as " +
                "Codecs.listOf(String.class) does",
        )
    }
    val isOfObjects = type.isArray && !type.componentType.isPrimitive
    return if (isOfObjects) NamedType(type.kotlin, listOf(named(type.componentType))) else NamedType(type.kotlin)
}

private fun arrayOfObjects(component: NamedType) =
    NamedType(
        component.raw.javaObjectType
            .arrayType()
            .kotlin,
        listOf(component),
    )
