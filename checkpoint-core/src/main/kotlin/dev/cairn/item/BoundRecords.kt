package dev.cairn.item

import dev.cairn.codec.ArrayKind
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
    private val table: String,
    private val type: Class<R>,
    private val get: () -> List<R?>?,
    private val set: (List<R>) -> Unit,
) : TableSource {
    private val components: Array<RecordComponent> =
        type.recordComponents
            ?: throw DeclarationRefusedException(
                "table '$table' has rows of ${type.name}, but that is not a record class",
            )

    /** The most bytes of UTF-8 that the texts of a component have. */
    var textSizes: Map<String, Int> = emptyMap()

    private val forms: List<ColumnForm<*>> by lazy { components.map(::formOf) }

    override val columns by lazy { forms.flatMap { it.columns } }

    private val constructor: MethodHandle =
        open(type.getDeclaredConstructor(*types())) { unreflectConstructor(it) }
            .asSpreader(Array<Any>::class.java, components.size)
            .asType(MethodType.methodType(Any::class.java, Array<Any>::class.java))

    private val accessors: List<MethodHandle> =
        components.map { open(it.accessor) { method -> unreflect(method) }.asType(MethodType.genericMethodType(1)) }

    private fun types() = Array<Class<*>>(components.size) { components[it].type }

    private fun formOf(component: RecordComponent): ColumnForm<*> =
        when {
            component.type == String::class.java -> TextForm(table, component.name, textSize(component))
            component.type.isEnum -> enumForm(component)
            else -> NumberForm(Column(component.name, kindOf(component)))
        }

    private fun textSize(component: RecordComponent): Int =
        textSizes[component.name] ?: throw DeclarationRefusedException(
            "table '$table' has texts in the component '${component.name}' of ${type.name}: say how many bytes " +
                "of UTF-8 they have at most, with text(\"${component.name}\", …) in the table",
        )

    @Suppress("UNCHECKED_CAST") // The class of the component is an enum; TimeUnit stands for any.
    private fun enumForm(component: RecordComponent) =
        EnumForm(table, component.name, component.type as Class<java.util.concurrent.TimeUnit>)

    private fun kindOf(component: RecordComponent): ArrayKind<*> =
        ArrayKind.of(component.type) ?: throw DeclarationRefusedException(
            "table '$table' has columns of primitive types, texts and enums, but the component '${component.name}' " +
                "of ${type.name} is of ${component.type.name}",
        )

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
        val cells = forms.zip(arrays).flatMap { (form, array) -> form.encodeAny(array, list.size) }
        return Rows(columns, cells.toMutableList(), list.size)
    }

    private fun refusal(flaw: String) =
        notStorable(
            table,
            "the rows of the table '$table' should be records of ${type.name}, but $flaw. Leave out rows that do not " +
                "exist, and let the list be empty where there are none.",
        )

    override fun assign(rows: Rows) {
        val record = recordOf(rows)
        set(List(rows.count, record))
    }

    /** A function that makes the record of a row. */
    fun recordOf(rows: Rows): (Int) -> R {
        val arrays = forms.map { it.decode(rows.arrays(it.columns), rows.count) }
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

@Suppress("UNCHECKED_CAST") // Each form encodes the array that it has created.
private fun <A : Any> ColumnForm<A>.encodeAny(
    array: Any,
    count: Int,
): List<Any> = encode(array as A, count)
