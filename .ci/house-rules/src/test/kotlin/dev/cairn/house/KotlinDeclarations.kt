package dev.cairn.house

import kotlin.metadata.ClassName
import kotlin.metadata.KmClass
import kotlin.metadata.KmClassifier
import kotlin.metadata.KmConstructor
import kotlin.metadata.KmFunction
import kotlin.metadata.KmPackage
import kotlin.metadata.KmProperty
import kotlin.metadata.KmType
import kotlin.metadata.KmTypeParameter
import kotlin.metadata.KmTypeProjection
import kotlin.metadata.KmValueParameter
import kotlin.metadata.KmVariance
import kotlin.metadata.Modality
import kotlin.metadata.declaresDefaultValue
import kotlin.metadata.isConst
import kotlin.metadata.isInfix
import kotlin.metadata.isInline
import kotlin.metadata.isNullable
import kotlin.metadata.isOperator
import kotlin.metadata.isReified
import kotlin.metadata.isSuspend
import kotlin.metadata.isVar
import kotlin.metadata.modality
import kotlin.metadata.visibility

/**
 * The visible declarations of a class or a file as Kotlin callers see them: what a class file does not say, such as
 * `suspend`, `reified`, nullability, parameter names and default values. Also what is hidden from Java.
 */
internal class KotlinDeclarations private constructor(private val typeParameters: Map<Int, String>) {
    private fun constructor(constructor: KmConstructor): String =
        "constructor" + parameters(constructor.valueParameters)

    private fun function(function: KmFunction): String =
        within(function.typeParameters).run {
            words(
                abstract(function.modality),
                "suspend".takeIf { function.isSuspend },
                "inline".takeIf { function.isInline },
                "infix".takeIf { function.isInfix },
                "operator".takeIf { function.isOperator },
                "fun",
                declared(function.typeParameters),
                receiver(function.receiverParameterType) + function.name + parameters(function.valueParameters) +
                    ": ${type(function.returnType)}",
            )
        }

    private fun property(property: KmProperty): String =
        within(property.typeParameters).run {
            words(
                abstract(property.modality),
                "const".takeIf { property.isConst },
                if (isSettable(property)) "var" else "val",
                declared(property.typeParameters),
                receiver(property.receiverParameterType) + property.name + ": ${type(property.returnType)}",
            )
        }

    private fun isSettable(property: KmProperty) =
        property.isVar && (property.setter?.visibility ?: property.visibility) in VISIBLE

    private fun within(parameters: List<KmTypeParameter>) =
        KotlinDeclarations(typeParameters + parameters.associate { it.id to it.name })

    private fun abstract(modality: Modality) = "abstract".takeIf { modality == Modality.ABSTRACT }

    private fun receiver(type: KmType?): String = if (type == null) "" else "${type(type)}."

    private fun parameters(parameters: List<KmValueParameter>): String =
        parameters.joinToString(prefix = "(", postfix = ")") { parameter ->
            val elements = parameter.varargElementType
            val declared = if (elements == null) type(parameter.type) else type(elements)
            (if (elements == null) "" else "vararg ") + "${parameter.name}: $declared" +
                (if (parameter.declaresDefaultValue) " = …" else "")
        }

    private fun declared(parameters: List<KmTypeParameter>): String? =
        parameters
            .joinToString(prefix = "<", postfix = ">") { parameter ->
                val bounds = parameter.upperBounds.map(::type).filter { it != "Any?" }
                (if (parameter.isReified) "reified " else "") + parameter.name +
                    (if (bounds.isEmpty()) "" else bounds.joinToString(" & ", prefix = ": "))
            }.takeIf { parameters.isNotEmpty() }

    private fun type(type: KmType): String {
        val classifier = type.classifier
        val text =
            when {
                classifier is KmClassifier.Class && isFunction(classifier.name) -> "(${functionType(type)})"
                else -> name(classifier) + arguments(type.arguments)
            }
        return if (type.isNullable) "$text?" else text
    }

    private fun isFunction(name: ClassName) = FUNCTION.matches(name)

    private fun functionType(type: KmType): String {
        val arguments = if (type.isSuspend) withoutContinuation(type.arguments) else type.arguments
        return (if (type.isSuspend) "suspend " else "") +
            arguments.dropLast(1).joinToString(prefix = "(", postfix = ")", transform = ::projection) +
            " -> " + projection(arguments.last())
    }

    /** Metadata store a suspending function type as the plain one that takes a continuation of the result. */
    private fun withoutContinuation(arguments: List<KmTypeProjection>): List<KmTypeProjection> {
        val continuation = checkNotNull(arguments[arguments.size - 2].type)
        return arguments.dropLast(2) + continuation.arguments
    }

    private fun arguments(arguments: List<KmTypeProjection>): String =
        if (arguments.isEmpty()) "" else arguments.joinToString(prefix = "<", postfix = ">", transform = ::projection)

    private fun projection(projection: KmTypeProjection): String {
        val argument = projection.type ?: return "*"
        return when (projection.variance) {
            KmVariance.IN -> "in "
            KmVariance.OUT -> "out "
            else -> ""
        } + type(argument)
    }

    private fun name(classifier: KmClassifier): String =
        when (classifier) {
            is KmClassifier.Class -> classifier.name.substringAfterLast('/')
            is KmClassifier.TypeAlias -> classifier.name.substringAfterLast('/')
            is KmClassifier.TypeParameter -> typeParameters.getValue(classifier.id)
        }

    private fun words(vararg words: String?): String = words.filterNotNull().joinToString(" ")

    companion object {
        private val FUNCTION = Regex("kotlin/Function[0-9]+")

        fun of(type: KmClass, enclosing: List<KmTypeParameter>): List<String> =
            KotlinDeclarations((enclosing + type.typeParameters).associate { it.id to it.name }).run {
                type.constructors.filter { it.visibility in VISIBLE }.map(::constructor) +
                    members(type.functions, type.properties)
            }

        fun of(file: KmPackage): List<String> = KotlinDeclarations(emptyMap()).members(file.functions, file.properties)

        private fun KotlinDeclarations.members(
            functions: List<KmFunction>,
            properties: List<KmProperty>,
        ): List<String> =
            functions.filter { it.visibility in VISIBLE }.map(::function) +
                properties.filter { it.visibility in VISIBLE }.map(::property)
    }
}
