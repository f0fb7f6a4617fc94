package dev.cairn.schema

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.SerialDescriptor

/**
 * What was called otherwise when a value was stored: properties of classes, constants of enums, and classes of which a value
 * has one of several. By the serial names of what they belong to: the name that is stored, and that of today.
 */
@OptIn(ExperimentalSerializationApi::class)
internal class Renames(
    private val byOwner: Map<String, Map<String, String>>,
) {
    fun today(
        owner: SerialDescriptor,
        stored: String,
    ): String = if (byOwner.isEmpty()) stored else byOwner[owner.serialName]?.get(stored) ?: stored

    companion object {
        val NONE = Renames(emptyMap())
    }
}
