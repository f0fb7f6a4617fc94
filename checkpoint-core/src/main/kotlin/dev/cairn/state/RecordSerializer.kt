package dev.cairn.state

import kotlinx.serialization.KSerializer
import java.lang.reflect.AccessibleObject
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.RecordComponent
import java.util.Optional

/** The serializer of the record [type], which is stored by the names of its components; [serializerOf] as in [PartsSerializer]. */
internal fun recordSerializer(type: Class<*>, serializerOf: (RecordComponent) -> KSerializer<Any?>): KSerializer<Any> {
    val components = type.recordComponents
    val accessors = components.map { it.accessor.opened(type) }
    val constructor =
        type
            .getDeclaredConstructor(
                *Array<Class<*>>(components.size) { components[it].type },
            ).opened(type)
    return StandInSerializer(
        PartsSerializer(type.name, components.map { it.name }) { serializerOf(components[it]) },
        { record -> accessors.map { unwrapped { it.invoke(record) } } },
    ) { parts -> unwrapped { constructor.newInstance(*parts.zip(components, ::valueOf).toTypedArray()) } }
}

/** An older checkpoint may lack a component that was added since. */
private fun valueOf(part: Any?, component: RecordComponent): Any? =
    if (part == null && component.type == Optional::class.java) Optional.empty<Any>() else part

private fun <M : AccessibleObject> M.opened(type: Class<*>): M {
    if (!trySetAccessible()) {
        throw noCodec("the module of the record ${type.name} does not open its package to dev.cairn.core: open it")
    }
    return this
}

/** What the program's own code throws, as it was thrown. */
internal inline fun <T> unwrapped(call: () -> T): T =
    try {
        call()
    } catch (failure: InvocationTargetException) {
        throw failure.targetException
    }
