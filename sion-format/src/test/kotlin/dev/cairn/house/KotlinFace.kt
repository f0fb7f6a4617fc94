package dev.cairn.house

import kotlin.metadata.KmClass
import kotlin.metadata.KmConstructor
import kotlin.metadata.KmFunction
import kotlin.metadata.KmPackage
import kotlin.metadata.KmProperty
import kotlin.metadata.Visibility
import kotlin.metadata.jvm.KotlinClassMetadata
import kotlin.metadata.jvm.getterSignature
import kotlin.metadata.jvm.setterSignature
import kotlin.metadata.jvm.signature
import kotlin.metadata.visibility

/** What a class file cannot say of a Kotlin class: which of its public parts are only for its own module. */
class KotlinFace private constructor(
    val isInternal: Boolean,
    val hiddenMembers: Set<String>,
) {
    companion object {
        private val VISIBLE = setOf(Visibility.PUBLIC, Visibility.PROTECTED)
        private val JAVA = KotlinFace(false, emptySet())

        fun of(type: Class<*>): KotlinFace {
            val annotation = type.getAnnotation(Metadata::class.java) ?: return JAVA
            return when (val metadata = KotlinClassMetadata.readStrict(annotation)) {
                is KotlinClassMetadata.Class -> of(metadata.kmClass)
                is KotlinClassMetadata.FileFacade -> of(metadata.kmPackage)
                is KotlinClassMetadata.MultiFileClassPart -> of(metadata.kmPackage)
                else -> KotlinFace(true, emptySet())
            }
        }

        private fun of(type: KmClass) =
            KotlinFace(
                type.visibility !in VISIBLE,
                hidden(type.functions, type.properties) + hidden(type.constructors),
            )

        /** A file of which every part is internal is internal as a whole. */
        private fun of(file: KmPackage) =
            KotlinFace(
                file.functions.none { it.visibility in VISIBLE } && file.properties.none { it.visibility in VISIBLE },
                hidden(file.functions, file.properties),
            )

        private fun hidden(constructors: List<KmConstructor>): Set<String> =
            constructors.filter { it.visibility !in VISIBLE }.mapNotNull { it.signature?.toString() }.toSet()

        private fun hidden(
            functions: List<KmFunction>,
            properties: List<KmProperty>,
        ): Set<String> =
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
