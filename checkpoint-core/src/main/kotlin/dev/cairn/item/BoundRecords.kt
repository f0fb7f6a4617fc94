package dev.cairn.item

import dev.cairn.event.DeclarationRefusedException
import dev.cairn.event.requireDeclared
import java.lang.invoke.MethodHandle
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import java.lang.reflect.AccessibleObject
import java.lang.reflect.RecordComponent

/**
 * A table whose rows are Java records in a list of the program: each component is a column. During a save and a restore, a copy
 * of the rows is in memory as arrays.
 */
internal class BoundRecords<R : Any>(
    table: String,
    private val type: Class<R>,
    textSizes: Map<String, Int>,
    private val get: () -> List<R?>?,
    private val set: (List<R>) -> Unit,
) : TableSource<R>(table) {
    private val components: Array<RecordComponent> =
        type.recordComponents
            ?: throw DeclarationRefusedException(
                "table '$table' has rows of ${type.name}, but that is not a record class",
            )

    override val forms =
        components.map { formOf(it.name, "component '${it.name}' of ${type.name}", it.type, textSizes) }

    private val constructor: MethodHandle =
        open(type.getDeclaredConstructor(*types())) { unreflectConstructor(it) }
            .asSpreader(Array<Any>::class.java, components.size)
            .asType(MethodType.methodType(Any::class.java, Array<Any>::class.java))

    private val accessors: List<MethodHandle> =
        components.map { open(it.accessor) { method -> unreflect(method) }.asType(MethodType.genericMethodType(1)) }

    private fun types() = Array<Class<*>>(components.size) { components[it].type }

    private inline fun <M : AccessibleObject> open(
        member: M,
        unreflect: MethodHandles.Lookup.(M) -> MethodHandle,
    ): MethodHandle {
        requireDeclared(member.trySetAccessible()) {
            "table '$table' has rows of ${type.name}, whose module does not open its package to dev.cairn.core: open it"
        }
        return MethodHandles.lookup().unreflect(member)
    }

    override fun rows(): Rows {
        val list = get() ?: throw refusal("its function returned no list, but null")
        val arrays = forms.map { it.create(list.size) }
        list.forEachIndexed { row, record ->
            if (record == null) throw refusal("row $row of its list is null")
            for (component in arrays.indices) {
                val value: Any? = accessors[component].invoke(record)
                java.lang.reflect.Array
                    .set(arrays[component], row, value)
            }
        }
        return encode(arrays, list.size)
    }

    private fun refusal(flaw: String) =
        notStorable(
            table,
            "the rows of the table '$table' should be records of ${type.name}, but $flaw. Leave out rows that do not " +
                "exist, and let the list be empty where there are none.",
        )

    override fun assign(rows: Rows) = set(List(rows.count, reader(rows)))

    override fun reader(rows: Rows): (Int) -> R {
        val arrays = decode(rows)
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
