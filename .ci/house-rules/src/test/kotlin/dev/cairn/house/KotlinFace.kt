package dev.cairn.house

import kotlin.metadata.ClassKind
import kotlin.metadata.KmClass
import kotlin.metadata.KmConstructor
import kotlin.metadata.KmFunction
import kotlin.metadata.KmPackage
import kotlin.metadata.KmProperty
import kotlin.metadata.KmTypeParameter
import kotlin.metadata.Visibility
import kotlin.metadata.isData
import kotlin.metadata.isInner
import kotlin.metadata.jvm.KotlinClassMetadata
import kotlin.metadata.jvm.fieldSignature
import kotlin.metadata.jvm.getterSignature
import kotlin.metadata.jvm.setterSignature
import kotlin.metadata.jvm.signature
import kotlin.metadata.kind
import kotlin.metadata.visibility

internal val VISIBLE = setOf(Visibility.PUBLIC, Visibility.PROTECTED)

/**
 * What a class file cannot say of a Kotlin class: its [declarations] as Kotlin callers see them, and which of its public
 * parts are only for its own module.
 *
 * @property isFile whether it holds the functions of a file, which Kotlin callers name without it
 * @property hiddenMembers signatures of methods and constructors
 * @property hiddenFields names of constants, which lie in the class although its companion or its file declares them
 */
class KotlinFace private constructor(
    val isInternal: Boolean,
    val isData: Boolean,
    val isFile: Boolean,
    val hiddenMembers: Set<String>,
    val hiddenFields: Set<String>,
    declare: () -> List<String>,
) {
    /** Only asked for what is visible: an anonymous class may name type parameters of the function around it. */
    val declarations: List<String> by lazy(declare)

    companion object {
        private val JAVA = KotlinFace(false, false, false, emptySet(), emptySet()) { emptyList() }

        fun of(type: Class<*>): KotlinFace =
            when (val metadata = metadata(type)) {
                null -> JAVA
                is KotlinClassMetadata.Class -> of(metadata.kmClass, type)
                is KotlinClassMetadata.FileFacade -> of(metadata.kmPackage)
                is KotlinClassMetadata.MultiFileClassPart -> of(metadata.kmPackage)
                else -> KotlinFace(true, false, false, emptySet(), emptySet()) { emptyList() }
            }

        private fun metadata(type: Class<*>): KotlinClassMetadata? =
            type.getAnnotation(Metadata::class.java)?.let(KotlinClassMetadata::readStrict)

        private fun of(type: KmClass, loaded: Class<*>) =
            KotlinFace(
                type.visibility !in VISIBLE,
                type.isData && type.kind == ClassKind.CLASS,
                false,
                hidden(type.functions, type.properties) + hidden(type.constructors),
                hiddenConstants(type, loaded),
            ) { KotlinDeclarations.of(type, outerParameters(type, loaded)) }

        /** A file of which every part is internal is internal as a whole. */
        private fun of(file: KmPackage) =
            KotlinFace(
                file.functions.none { it.visibility in VISIBLE } && file.properties.none { it.visibility in VISIBLE },
                false,
                true,
                hidden(file.functions, file.properties),
                file.properties
                    .filter { it.visibility !in VISIBLE }
                    .mapNotNull { it.fieldSignature?.name }
                    .toSet(),
            ) { KotlinDeclarations.of(file) }

        /** An inner class may name the type parameters of the classes around it. */
        private fun outerParameters(type: KmClass, loaded: Class<*>): List<KmTypeParameter> {
            val outer = loaded.declaringClass?.takeIf { type.isInner } ?: return emptyList()
            val declared = (metadata(outer) as KotlinClassMetadata.Class).kmClass
            return outerParameters(declared, outer) + declared.typeParameters
        }

        private fun hiddenConstants(type: KmClass, loaded: Class<*>): Set<String> {
            val name = type.companionObject ?: return emptySet()
            val declared = loaded.declaredClasses.first { it.simpleName == name }
            val companion = (metadata(declared) as KotlinClassMetadata.Class).kmClass
            val isHidden = companion.visibility !in VISIBLE
            return companion.properties
                .filter { isHidden || it.visibility !in VISIBLE }
                .mapNotNull { it.fieldSignature?.name }
                .toSet() + listOfNotNull(name.takeIf { isHidden })
        }

        private fun hidden(constructors: List<KmConstructor>): Set<String> =
            constructors.filter { it.visibility !in VISIBLE }.mapNotNull { it.signature?.toString() }.toSet()

        private fun hidden(functions: List<KmFunction>, properties: List<KmProperty>): Set<String> =
            (
                functions.filter { it.visibility !in VISIBLE }.map { it.signature } +
                    properties.flatMap(
                        ::hiddenAccessors,
                    )
            ).mapNotNull { it?.toString() }
                .toSet()

        private fun hiddenAccessors(property: KmProperty) =
            listOfNotNull(
                property.getterSignature.takeIf { property.getter.visibility !in VISIBLE },
                property.setterSignature.takeIf { property.setter?.visibility !in VISIBLE },
            )
    }
}
