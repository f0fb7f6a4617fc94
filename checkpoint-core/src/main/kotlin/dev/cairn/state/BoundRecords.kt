package dev.cairn.state

import java.lang.invoke.MethodHandle
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import java.lang.reflect.AccessibleObject
import java.lang.reflect.RecordComponent

/**
 * A table whose rows are Java records in a list of the program: each component is a column. While it is saved or restored,
 * there is a copy of it in arrays.
 */
internal class BoundRecords<R : Any>(
    private val table: String,
    private val type: Class<R>,
    private val get: () -> List<R>,
    private val set: (List<R>) -> Unit,
) : TableSource {
    private val components: Array<RecordComponent> =
        requireNotNull(type.recordComponents) { "table '$table' has rows of ${type.name}, but that is no record class" }

    override val columns = components.map { Column(it.name, kindOf(it)) }

    private val constructor: MethodHandle =
        open(type.getDeclaredConstructor(*types())) { unreflectConstructor(it) }
            .asSpreader(Array<Any>::class.java, components.size)
            .asType(MethodType.methodType(Any::class.java, Array<Any>::class.java))

    private val accessors: List<MethodHandle> =
        components.map { open(it.accessor) { method -> unreflect(method) }.asType(MethodType.genericMethodType(1)) }

    private fun types() = Array<Class<*>>(components.size) { components[it].type }

    private fun kindOf(component: RecordComponent): ArrayKind<*> =
        requireNotNull(ArrayKind.of(component.type)) {
            "table '$table' has columns of primitive types, but the component '${component.name}' of ${type.name} " +
                "is of ${component.type.name}"
        }

    private inline fun <M : AccessibleObject> open(
        member: M,
        unreflect: MethodHandles.Lookup.(M) -> MethodHandle,
    ): MethodHandle {
        require(member.trySetAccessible()) {
            "table '$table' has rows of ${type.name}, whose module does not open its package to dev.cairn.core: open it"
        }
        return MethodHandles.lookup().unreflect(member)
    }

    override fun rows(): Rows {
        val list = get()
        val arrays = columns.map { it.create(list.size) }.toMutableList()
        list.forEachIndexed { row, record ->
            for (column in arrays.indices) {
                val value: Any? = accessors[column].invoke(record)
                java.lang.reflect.Array
                    .set(arrays[column], row, value)
            }
        }
        return Rows(columns, arrays, list.size)
    }

    override fun assign(rows: Rows) {
        val record = recordOf(rows)
        set(List(rows.count, record))
    }

    /** Makes a record of the row of a number. */
    fun recordOf(rows: Rows): (Int) -> R {
        val arrays = columns.map { checkNotNull(rows.array(it.name)) }
        return { row ->
            val values =
                Array<Any>(arrays.size) {
                    java.lang.reflect.Array
                        .get(arrays[it], row)
                }
            type.cast(constructor.invoke(values))
        }
    }
}
