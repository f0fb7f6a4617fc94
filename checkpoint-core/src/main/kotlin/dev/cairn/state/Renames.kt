package dev.cairn.state

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.SerialDescriptor

/**
 * Names that differed when a value was stored: properties of classes, constants of enums, and classes of which a value
 * has one of several. By the serial names of their classes: the stored name, and the present one.
 */
@OptIn(ExperimentalSerializationApi::class)
internal class Renames(private val byOwner: Map<String, Map<String, String>>) {
    fun today(owner: SerialDescriptor, stored: String): String =
        if (byOwner.isEmpty()) stored else byOwner[owner.serialName]?.get(stored) ?: stored

    companion object {
        val NONE = Renames(emptyMap())
    }
}
