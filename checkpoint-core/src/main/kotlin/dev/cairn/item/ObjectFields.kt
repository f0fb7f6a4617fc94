package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.messageLine
import dev.cairn.item.FieldContent.Cells
import dev.cairn.item.FieldContent.Generator
import dev.cairn.item.FieldContent.Generators
import dev.cairn.item.FieldContent.Value
import dev.cairn.state.NamedType
import dev.cairn.state.SerialCodec
import dev.cairn.state.TypeSchema
import dev.cairn.state.codecOf
import java.lang.reflect.Array.getLength
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.util.Random

/**
 * The state in the fields of [root], which are the static ones if it is a class, and of the objects that they lead to, by paths that
 * begin with [name]. Objects stay where they are, with the same links between them, and only what they hold changes: so a restart,
 * which makes the same objects, can fill them. What does not fit that is refused.
 *
 * @param except paths within [root], without the indices of elements, that are left out
 */
internal class ObjectFields(
    private val name: String,
    private val root: Any,
    private val except: Set<String>,
    reached: ReachedObjects,
) {
    private val codecs = HashMap<NamedType, Result<SerialCodec<Any?>>>()

    /** As they are when this is made. */
    val pieces: List<FieldPiece> = Exploration(reached).apply { run() }.also(::requireSome).pieces

    /** Which objects there are, and how they lead to each other, in words. */
    val links: List<String> get() = pieces.filter { it.content == null }.map { "${it.path}: ${it.form}" }

    private fun requireSome(found: Exploration) {
        val unknown = except - found.leftOut
        if (unknown.isNotEmpty()) {
            throw invalid(name, "'$name' has no field '${unknown.first()}' to leave out: correct that name.")
        }
        if (found.pieces.none { it.content != null }) {
            throw invalid(name, "'$name', a ${root.javaClass.name}, has no fields that change: declare other state.")
        }
    }

    /** Refuses a save of objects that are linked in another way than when they were declared. */
    fun requireAsDeclared(reached: ReachedObjects) {
        val now = Exploration(reached).apply { run() }.pieces
        val index = pieces.indices.firstOrNull { now.getOrNull(it)?.isAs(pieces[it]) != true } ?: return
        val before = pieces[index]
        val found = now.find { it.path == before.path }
        val difference =
            when {
                found == null -> "is gone"
                found.form != before.form -> "is ${found.form} now"
                found.held !== before.held -> "is another object now, which a restart would not make"
                else -> "has other lengths now"
            }
        throw notStorable(
            before.path,
            "'${before.path}' was ${before.form} when its fields were declared, and $difference: let it stay as it " +
                "is, or leave it out of fields by its path, and declare it as a value.",
        )
    }

    private inner class Exploration(private val reached: ReachedObjects) {
        val pieces = mutableListOf<FieldPiece>()
        val leftOut = mutableSetOf<String>()
        private val ahead = ArrayDeque<FieldPlace>()

        fun run() {
            if (root is Class<*>) {
                visitNext(
                    root.declaredFields.filter { it.isStaticState }.mapNotNull { placeOf(it, root, name, emptyMap()) },
                )
            } else {
                visitObject(FieldPlace(name, null, isConstant = true, { root }), root)
            }
            while (ahead.isNotEmpty()) {
                visit(ahead.removeLast())
                if (pieces.size > MOST_PIECES) {
                    throw invalid(name, "the fields of '$name' lead to more than $MOST_PIECES pieces: $COMPACT.")
                }
            }
        }

        /** A chain of objects has paths that grow with it, and all of them are names in the checkpoint. */
        private fun requireShort(path: String) {
            if (path.length <= LONGEST_PATH) return
            throw invalid(
                name,
                "the fields of '$name' lead along '${path.take(SHOWN_PATH)}…' to a path of more than $LONGEST_PATH " +
                    "characters, as those of a chain of objects do: leave them out by their path, and $COMPACT.",
            )
        }

        private fun visit(place: FieldPlace) {
            requireShort(place.path)
            val now = place.get()
            requireConstant(now, place.path)
            when {
                place.isConstant && isFlat(now) -> now?.let { reached.addConstant(it, place.path) }
                now == null -> visitNull(place)
                isGenerator(now) -> visitGenerator(place, now)
                now is Map<*, *> || now is Collection<*> -> visitCollection(place, now)
                now is Array<*> -> visitArray(place, now)
                now.javaClass.isArray -> visitCells(place, now)
                place.set != null && codec(place.type).isSuccess -> addValue(place, now)
                place.set == null || !now.javaClass.isRecord -> visitObject(place, now)
                else -> throw noValue(place, place.type)
            }
        }

        private fun visitNull(place: FieldPlace) {
            val isValue = place.set != null && !isCells(place.type) && codec(place.type).isSuccess
            if (isValue) addValue(place, null) else pieces += FieldPiece(place.path, "null")
        }

        private fun visitObject(place: FieldPlace, now: Any) {
            val type = now.javaClass
            if (isFlat(now) && (place.set == null || isOfProgram(type))) {
                reached.addConstant(now, place.path)
                return stays(place, now)
            }
            if (!isOfProgram(type)) throw refusal(place.path, "is a ${type.name}, of which no state is known")
            if (!isFirst(now, place.path)) return
            stays(place, now)
            visitNext(fieldsOf(now, place))
        }

        private fun stays(place: FieldPlace, now: Any) {
            pieces += FieldPiece(place.path, "a ${now.javaClass.typeName}", now)
        }

        private fun fieldsOf(now: Any, place: FieldPlace): List<FieldPlace> =
            typesOf(now.javaClass, place.type).flatMap { (type, known) ->
                type.declaredFields.filter { it.isState }.mapNotNull { field ->
                    val isHidden = isHiddenIn(now.javaClass, field)
                    placeOf(field, now, if (isHidden) "${place.path}.${type.simpleName}" else place.path, known)
                }
            }

        private fun placeOf(field: Field, owner: Any, within: String, known: Map<String, NamedType>): FieldPlace? {
            val path = "$within.${field.name}"
            val relative = path.removePrefix("$name.").replace(INDEX, "")
            if (relative in except) {
                leftOut += relative
                return null
            }
            if (!field.trySetAccessible()) throw notOpen(path, field.declaringClass)
            val isFinal = Modifier.isFinal(field.modifiers)
            val set = if (isFinal) null else { value: Any? -> field.set(owner, value) }
            return FieldPlace(path, typeOrNull(field.genericType, known), isFinal, { field.get(owner) }, set)
        }

        private fun visitNext(places: List<FieldPlace>) {
            ahead += places.asReversed()
        }

        private fun visitGenerator(place: FieldPlace, now: Any) {
            val set = place.set
            if (now.javaClass != Random::class.java) {
                val content = Generator({ checkNotNull(place.get()) }, {})
                if (isFirst(now, place.path)) pieces += FieldPiece(place.path, "a generator", now, content = content)
                return
            }
            if (set == null) {
                throw refusal(place.path, "is a java.util.Random in a final field, and a restart makes a new one", FREE)
            }
            isFirst(now, place.path, isReplaced = true)
            val content = Generator({ checkNotNull(place.get()) }, set)
            pieces += FieldPiece(place.path, "a java.util.Random", content = content)
        }

        private fun visitCells(place: FieldPlace, now: Any) {
            if (!isFirst(now, place.path)) return
            val form = "a ${now.javaClass.componentType}[] of ${getLength(now)}"
            val held = now.takeIf { place.set == null }
            pieces += FieldPiece(place.path, form, held, content = Cells { checkNotNull(place.get()) })
        }

        private fun visitArray(place: FieldPlace, now: Array<*>) {
            val type = place.type?.takeIf { it.raw.java == now.javaClass } ?: typeOrNull(now.javaClass)
            val codec = codec(type)
            if (codec.isFailure) return visitElements(place, now, now.asList(), type?.arguments?.firstOrNull())
            if (place.set != null) return addValue(place, now)
            if (!isFirst(now, place.path)) return
            reachParts(now, type, place.path)
            val content = Value(codec.getOrThrow(), { now }) { fill(place.path, now, it as Array<*>) }
            pieces += FieldPiece(place.path, "a ${now.javaClass.typeName}", now, lengthsOf(now), content)
        }

        private fun visitElements(place: FieldPlace, held: Any, elements: List<Any?>, type: NamedType?) {
            if (!isFirst(held, place.path)) return
            val isConstant = isUnchanging(held)
            pieces += FieldPiece(place.path, "${elements.size} elements", held)
            visitNext(
                elements.mapIndexed { i, it -> FieldPlace("${place.path}[$i]", type, isConstant, { it }) },
            )
        }

        private fun visitCollection(place: FieldPlace, now: Any) {
            if (!isOfLibrary(now.javaClass)) {
                throw refusal(
                    place.path,
                    "is a ${now.javaClass.name}, a collection that may have state beside its elements",
                )
            }
            val arguments = place.type?.arguments.orEmpty()
            val isInPlace = place.set == null
            val isOfObjects =
                (isInPlace && isCollection(arguments.singleOrNull())) || codec(listOf(arguments)).isFailure
            val areElements = isOfObjects || (isInPlace && isUnchanging(now))
            when {
                isOfGenerators(place.type) && canBeFilled(now) -> visitGenerators(place, now)
                now is List<*> && areElements -> visitElements(place, now, now, arguments.singleOrNull())
                place.set != null && codec(place.type).isSuccess -> addValue(place, now)
                else -> visitInPlace(place, now, arguments)
            }
        }

        @Suppress("UNCHECKED_CAST") // As the arguments of its type.
        private fun visitGenerators(place: FieldPlace, now: Any) {
            if (!isFirst(now, place.path)) return
            val content = Generators(now as MutableMap<String, Random>)
            now.values.forEach { isFirst(it, place.path, isReplaced = true) }
            pieces += FieldPiece(place.path, "a map of generators", now, content = content)
        }

        @Suppress("UNCHECKED_CAST") // As the codec's values.
        private fun visitInPlace(place: FieldPlace, now: Any, arguments: List<NamedType>) {
            val type = if (now is Map<*, *>) NamedType(Map::class, arguments) else listOf(arguments)
            val codec = codec(type).getOrElse { throw noValue(place, type) }
            if (!canBeFilled(now)) throw refusal(place.path, "is a ${now.javaClass.name}, which a restart cannot fill")
            if (!isFirst(now, place.path)) return
            reachParts(now, type, place.path)
            val content =
                if (now is Map<*, *>) {
                    Value(codec, { now }) { fill(now as MutableMap<Any?, Any?>, it as Map<*, *>) }
                } else {
                    val elements = now as MutableCollection<Any?>
                    Value(codec, { elements.toList() }) { fill(place.path, elements, it as List<*>) }
                }
            pieces += FieldPiece(place.path, "a ${now.javaClass.name}", now, content = content)
        }

        /** A value that another one replaces in a restart. */
        private fun addValue(place: FieldPlace, now: Any?) {
            val type = checkNotNull(place.type)
            val codec = codec(type).getOrElse { throw noValue(place, type) }
            if (now != null && !comesBack(now, type.raw.javaObjectType)) {
                throw refusal(
                    place.path,
                    "is a ${now.javaClass.typeName} in a field of ${type.raw.java.typeName}, and a restart would " +
                        "make no such object",
                    "declare the field with that class, or let it be final and change what it holds",
                )
            }
            reach(now, type, place.path)
            pieces += FieldPiece(place.path, "a value", content = Value(codec, place.get, checkNotNull(place.set)))
        }

        /** Refuses what another name reaches, too: a restart would make two of it. */
        private fun reach(value: Any?, type: NamedType?, path: String) {
            if (value == null) return
            val isFlat = isFlat(value)
            if (isFlat) {
                reached.addConstant(value, path)
            } else if (!value.javaClass.isRecord) {
                isFirst(value, path, isReplaced = true)
            }
            if (!isFlat || isUnchanging(value)) reachParts(value, type, path)
        }

        private fun reachParts(value: Any, type: NamedType?, path: String) {
            for (part in partsOf(value, type)) {
                requireComesBack(part, path)
                reach(part.value, part.type, path)
            }
        }

        private fun requireConstant(value: Any?, path: String) {
            val field = (value as? Enum<*>)?.let { changingFieldOf(it.javaClass) } ?: return
            throw refusal(
                path,
                "holds the constant $value, whose field '$field' can change, and a restart has it by its name alone",
                "move that field into another object, or let it be transient if it need not come back",
            )
        }

        private fun requireComesBack(part: ValuePart, path: String) {
            val type = part.type
            val value = part.value
            if (value == null && type?.isNullable == false) {
                throw refusal(
                    path,
                    "holds null as a ${type.raw.java.typeName}, which cannot be stored",
                    "take it out, or leave the field out by its path, and declare it as a value with another codec",
                )
            }
            requireConstant(value, path)
            if (value == null || type == null) return
            if (!comesBack(value, type.raw.javaObjectType)) {
                throw refusal(
                    path,
                    "holds a ${value.javaClass.typeName} as a ${type.raw.java.typeName}, and a restart would make no " +
                        "such object",
                    "name that class in the type of the field",
                )
            }
        }

        /** Whether no other place before [path] leads to [found]. */
        private fun isFirst(found: Any, path: String, isReplaced: Boolean = false): Boolean {
            val earlier = reached.firstPathTo(found, path, isReplaced) ?: return true
            pieces += FieldPiece(path, "the same as '$earlier'")
            return false
        }
    }

    /** Of values that may be null where the type is no primitive one; of an open class there is none, as it may have any fields. */
    private fun codec(type: NamedType?): Result<SerialCodec<Any?>> =
        if (type == null) {
            Result.failure(invalid(name, "its type is not known"))
        } else {
            codecs.getOrPut(type) { codecOfClosed(type.copy(isNullable = !type.raw.java.isPrimitive)) }
        }

    private fun codecOfClosed(type: NamedType) =
        try {
            val codec = codecOf(type)
            val isOpen =
                codec.schema.types.values
                    .any { it is TypeSchema.Cases && it.cases.isEmpty() }
            if (isOpen) Result.failure(invalid(name, "it may be of any class")) else Result.success(codec)
        } catch (unknown: CheckpointException) {
            Result.failure(unknown)
        }

    private fun listOf(arguments: List<NamedType>) = NamedType(List::class, arguments)

    private fun noValue(place: FieldPlace, type: NamedType?) =
        refusal(place.path, "is no value that can be stored: ${codec(type).exceptionOrNull()?.messageLine()}")
}

internal fun refusal(
    path: String,
    why: String,
    remedy: String = "let it be transient, or leave it out by its path, and declare what is needed of it",
) = invalid(path, "'$path' $why: $remedy.")

private fun notOpen(path: String, type: Class<*>): CheckpointException {
    val (why, remedy) = closed(type)
    return refusal(path, why, remedy)
}

/** Why fields of [type] cannot be read, and what to do. */
internal fun closed(type: Class<*>): Pair<String, String> {
    val reader = ObjectFields::class.java.module
    val to = if (reader.isNamed) " to ${reader.name}" else ""
    val why = "cannot be read, since the module ${type.module.name} does not open its package"
    return why to "write 'opens ${type.packageName}$to;' into its module-info.java"
}

private const val MOST_PIECES = 10_000
private const val LONGEST_PATH = 4_000
private const val SHOWN_PATH = 60
private const val COMPACT = "declare what they hold as a table, a stream, or a value with a codec"
private val INDEX = Regex("""\[\d+]""")
private const val FREE = "let the field not be final, or declare it by generator"
