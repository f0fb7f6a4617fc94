package dev.cairn.state

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Mismatch

/**
 * The conversion of a stored value to the program's present type.
 *
 * @property renames names that differed when it was stored
 * @property notes the changes within it, in sentences
 */
internal class ValueFit(val renames: Renames, val notes: List<String>)

/** The program's rules for changed properties, by their paths, such as `config.b`. */
internal class PropertyChanges(
    private val removed: Set<String> = emptySet(),
    private val formerNames: Map<String, List<String>> = emptyMap(),
) {
    fun isRemoved(path: String): Boolean = path in removed

    fun formerNames(path: String): List<String> = formerNames[path].orEmpty()
}

/**
 * How a stored value becomes one of the program's classes. Its properties follow the rules of whole items: each stored
 * property has a counterpart or was removed by name. Classes are compared by their parts, never by their names; a class
 * that a value has in several places is compared once, and its properties are named by the first place.
 *
 * @param storedAs the name of the [item] in the checkpoint, if it has been renamed
 */
internal class ValueMatching(
    private val item: String,
    private val stored: ValueSchema,
    private val declared: ValueSchema,
    private val changes: PropertyChanges,
    saveNumber: Int,
    private val storedAs: String = item,
) {
    private val save = "save $saveNumber"
    private val compared = mutableSetOf<Pair<String, String>>()
    private val renames = mutableMapOf<String, MutableMap<String, String>>()
    private val notes = mutableListOf<String>()

    fun fit(): ValueFit {
        compare(item, stored.type, declared.type)
        return ValueFit(Renames(renames), notes)
    }

    private fun compare(path: String, old: String, new: String) {
        if (old.isNullable && !new.isNullable) throw changed(path, old, new)
        if (ANY in setOf(old.bare, new.bare) || !compared.add(old.bare to new.bare)) return
        val (from, to) = stored.types[old.bare] to declared.types[new.bare]
        when {
            from == null && to == null -> compareSimple(path, old.bare, new.bare)
            from is TypeSchema.Record && to is TypeSchema.Record -> compareProperties(path, from, to)
            from is TypeSchema.Constants && to is TypeSchema.Constants -> compareConstants(path, from, to)
            from is TypeSchema.Cases && to is TypeSchema.Cases -> compareCases(path, from, to)
            from is TypeSchema.Sequence && to is TypeSchema.Sequence -> compare(path, from.element, to.element)
            from is TypeSchema.Distinct && to is TypeSchema.Distinct -> compare(path, from.element, to.element)
            from is TypeSchema.Distinct && to is TypeSchema.Sequence -> compare(path, from.element, to.element)
            from is TypeSchema.Dictionary && to is TypeSchema.Dictionary -> compareEntries(path, from, to)
            else -> throw changed(path, old, new)
        }
    }

    private fun compareSimple(path: String, old: String, new: String) {
        if (old == new) return
        elementTypeOf(new)?.let { elementTypeOf(old)?.wideningTo(it) } ?: throw changed(path, old, new)
        compared -= old to new
        notes += "'$path' is widened from $old to $new."
    }

    private fun compareEntries(path: String, old: TypeSchema.Dictionary, new: TypeSchema.Dictionary) {
        compare(path, old.key, new.key)
        compare(path, old.value, new.value)
    }

    private fun compareProperties(path: String, old: TypeSchema.Record, new: TypeSchema.Record) {
        val sources = sources(path, old.properties.keys, new.properties.keys)
        for ((name, type) in new.properties) {
            val source = sources[name]
            if (source == null) {
                add("$path.$name", isOptional = name in new.optional)
            } else {
                rename(path, new.owner, source, name)
                compare("$path.$name", old.properties.getValue(source), type)
            }
        }
        (old.properties.keys - sources.values.toSet()).forEach { remove("$path.$it") }
    }

    /** The stored name of each name of [today]; missing for new ones. */
    private fun sources(path: String, then: Set<String>, today: Set<String>): Map<String, String> {
        val free = then - today
        val names =
            today.associateWith { name ->
                name.takeIf { it in then } ?: former("$path.${shortName(name)}", free)
            }
        return names.mapNotNull { (name, source) -> source?.let { name to it } }.toMap()
    }

    /** Programs give class names without packages. */
    private fun former(path: String, free: Set<String>): String? =
        changes.formerNames(path).firstNotNullOfOrNull { name ->
            free.find { it == name || shortName(it) == name }
        }

    private fun rename(path: String, owner: String, old: String, new: String) {
        if (old == new) return
        renames.getOrPut(owner) { mutableMapOf() }[old] = new
        notes += "'$path.$new' takes the data that $save holds as '${storedPath(path)}.$old'."
    }

    private fun add(path: String, isOptional: Boolean) {
        if (!isOptional) throw noDefault(path)
        notes += "'$path' is new since $save: it gets its default value."
    }

    private fun remove(path: String) {
        if (!changes.isRemoved(path)) throw notDeclared(path)
        notes += "'${storedPath(path)}' of $save is not restored: the program has removed it."
    }

    /** A value with a missing constant is refused when it is read: the schema alone does not show it. */
    private fun compareConstants(path: String, old: TypeSchema.Constants, new: TypeSchema.Constants) {
        val sources = sources(path, old.constants.toSet(), new.constants.toSet())
        sources.forEach { (name, source) -> rename(path, new.owner, source, name) }
        gone(path, old.constants - sources.values.toSet())
    }

    private fun compareCases(path: String, old: TypeSchema.Cases, new: TypeSchema.Cases) {
        val sources = sources(path, old.cases.keys, new.cases.keys)
        for ((name, source) in sources) {
            rename(path, new.owner, source, name)
            compare("$path.${shortName(name)}", old.cases.getValue(source), new.cases.getValue(name))
        }
        gone(path, old.cases.keys - sources.values.toSet())
    }

    private fun gone(path: String, names: Collection<String>) =
        names.forEach {
            notes += "'$path' can not be $it any more, as it could in $save: a value with it will be refused."
        }

    private fun changed(path: String, old: String, new: String): Mismatch {
        val then = storedPath(path)
        val today = if (then == path) "it" else "'$path'"
        return differs(
            "$save holds '$then' as $old, but the program declares $today as $new. Declare it as it was stored, or " +
                "give the new one another name.",
        )
    }

    /** The name in the checkpoint, where the item may have another one. */
    private fun storedPath(path: String) = storedAs + path.removePrefix(item)

    private fun notDeclared(path: String) =
        differs(
            "$save holds the property '${storedPath(path)}', which the program does not declare. Declare it, name it " +
                "as a former name of what replaces it, or declare removed(\"$path\") if it is no longer needed.",
        )

    private fun noDefault(path: String) =
        differs(
            "the program declares the property '$path', which $save does not hold. Give it a default value, or say " +
                "formerly(\"$path\", \"its former name\").",
        )

    private fun differs(difference: String) = Mismatch(Details(difference, listOf(item)))
}

private const val ANY = "any"
private const val MAYBE = "?"

private val String.isNullable: Boolean get() = endsWith(MAYBE)
private val String.bare: String get() = removeSuffix(MAYBE)

private fun shortName(serialName: String): String = serialName.substringAfterLast('.')
