package dev.cairn.item

import dev.cairn.event.requireDeclared
import dev.cairn.state.NamedType
import java.lang.reflect.Field
import java.lang.reflect.Modifier

/**
 * One class of objects that are rows of a [table]: which fields it has, and how a restart makes its objects.
 *
 * @property name in the checkpoint, if the table has several
 * @param fieldOf the column of a field; several classes may inherit one
 */
internal class RowKind(
    private val table: String,
    val name: String,
    val type: Class<*>,
    excepted: Set<String>,
    fieldOf: (Field, known: Map<String, NamedType>) -> GraphColumn,
) {
    init {
        val flaw = flaw()
        requireDeclared(flaw == null, table) { "table '$table' has rows of ${type.name}, but that is $flaw" }
    }

    private val declared =
        typesOf(type, null).flatMap { (of, known) -> of.declaredFields.filter { it.isState }.map { it to known } }

    /** The names of all fields, with those that are excepted. */
    val fieldNames = declared.map { (field, _) -> field.name }

    val fields: List<GraphColumn>
    private val form: FieldsForm

    init {
        requireFields(excepted)
        fields =
            declared.filter { (field, _) -> field.name !in excepted }.map { (field, known) -> fieldOf(field, known) }
        form = FieldsForm(type, fields)
    }

    private fun flaw(): String? {
        val isConstant = isObject(type) || type.isEnum
        return when {
            isConstant -> "an object or an enum, which stays the program's own: take another class"
            Modifier.isAbstract(type.modifiers) -> "abstract: name the classes of the objects, each by kind()"
            !isOfProgram(type) -> "a class of a library, or extends one: hold such an object in an excepted field"
            else -> null
        }
    }

    private fun requireFields(excepted: Set<String>) {
        requireDeclared(!type.isRecord || fieldNames.none { it in excepted }, table) {
            "table '$table' excepts components of ${type.name}, but a record is made of all of them: write a class " +
                "instead"
        }
        val fields = declared.map { (field, _) -> field }
        val hidden = fields.find { isHiddenIn(type, it) }
        requireDeclared(hidden == null, table) {
            "table '$table' has rows of ${type.name} with two fields '${hidden?.name}': rename one of them, or let a " +
                "property that the class overrides be abstract"
        }
        val changing = fields.find { it.name !in excepted && changingFieldIn(it.type) != null }
        requireDeclared(changing == null, table) {
            "table '$table' has constants of ${changing?.type?.name}, whose field " +
                "'${changing?.type?.let(::changingFieldIn)}' " +
                "may change and would not come back: let it be final, or except '${changing?.name}'"
        }
        val closed = fields.find { !it.trySetAccessible() }
        requireDeclared(closed == null, table) {
            "table '$table' has rows of ${type.name}, whose module does not open the package of " +
                "${closed?.declaringClass?.name} to dev.cairn.core: open it"
        }
    }

    /** Constants may have fields of their own. */
    private fun changingFieldIn(constants: Class<*>): String? =
        constants.enumConstants?.firstNotNullOfOrNull { changingFieldOf(it.javaClass) }

    /** Whether its constructor may change what it gets. */
    private val isTried = type.isRecord && !keepsWhatItGets(type)

    /** Why a restart would not make this [row] of the kind, as the end of a sentence. */
    fun flawOf(row: Any): String? {
        if (!isTried) return null
        val made = makeRecord { it.get(row) }
        val changed = fields.find { it.get(made) != it.get(row) } ?: return null
        return "would come back with another '${changed.name}', since its constructor changes that. Let it take what " +
            "it gets, or write a class"
    }

    private fun makeRecord(valueOf: (GraphColumn) -> Any?): Any {
        val values = fields.map(valueOf)
        return form.makeRecord(Array(values.size) { values[form.parameters[it]] })
    }

    /** A row with these values, which is not made by the program, unless it is a record. */
    fun make(valueOf: (GraphColumn) -> Any?): Any =
        if (type.isRecord) {
            makeRecord(valueOf)
        } else {
            makeEmpty().also { row ->
                fields.forEach { it.set(row, valueOf(it)) }
            }
        }

    fun makeEmpty(): Any = form.makeEmpty()
}
