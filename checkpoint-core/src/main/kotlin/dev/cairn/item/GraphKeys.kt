package dev.cairn.item

import java.lang.reflect.Modifier
import java.util.IdentityHashMap
import java.util.Optional

// Where hashes and comparators put objects, and whether a restart puts them there, too.

/** Whether the hash of [key] is another one in each run: of an object by its address, as of a constant of an enum. */
internal fun hasIdentityHash(key: Any): Boolean = IDENTITY_HASH.get(key.javaClass)

private val IDENTITY_HASH =
    object : ClassValue<Boolean>() {
        override fun computeValue(type: Class<*>) =
            !type.isInterface &&
                type.getMethod("hashCode").declaringClass.let { it == Any::class.java || it == Enum::class.java }
    }

/** Whether the hash of [key] stays what it is, so that it can be asked for before fields are set. */
internal fun hasFixedHash(key: Any) =
    isConstantValue(key.javaClass) || hasIdentityHash(key) || (key.javaClass.isRecord && isFlat(key))

/** Whether its objects never change, and have the same hash in each run. */
private fun isConstantValue(type: Class<*>) =
    graphValues[type.name]?.isOwned == false || (type.isRecord && isFlatClass(type) && !LOOSE_HASH.get(type))

/** Whether its keys are constant values, and so is its comparator, if it has one. */
internal fun ContainerForm.holdsConstantValues(parts: Array<Any?>): Boolean {
    var known: Class<*>? = null
    for (index in parts.indices) {
        val isValue = index > firstKey && (index - firstKey) % stride != 0
        val type = (if (isValue) null else parts[index])?.javaClass ?: continue
        if (type !== known && !isConstantValue(type)) return false
        known = type
    }
    return true
}

/** Whether the hash of [key] seems to be made from one that is another one in each run. */
internal fun hasLooseHash(key: Any?, depth: Int = 0): Boolean =
    key != null && depth < MOST_LEVELS &&
        (LOOSE_HASH.get(key.javaClass) || hashedPartsOf(key).any { hasLooseHash(it, depth + 1) })

private fun hashedPartsOf(key: Any): Sequence<Any?> =
    when {
        key is Pair<*, *> -> sequenceOf(key.first, key.second)
        key is Map.Entry<*, *> -> sequenceOf(key.key, key.value)
        isData(key.javaClass) -> partsOf(key, null).asSequence().map { it.value }
        key.javaClass.name !in graphContainers -> emptySequence()
        key is Optional<*> -> sequenceOf(key.orElse(null))
        key is Map<*, *> -> key.entries.asSequence().take(MOST_LOOKED_AT)
        key is Collection<*> -> key.asSequence().take(MOST_LOOKED_AT)
        else -> emptySequence()
    }

/** By the class alone; what the fields of records, and of data classes of Kotlin, hold makes their hash, too. */
private val LOOSE_HASH =
    object : ClassValue<Boolean>() {
        override fun computeValue(type: Class<*>): Boolean {
            if (IDENTITY_HASH.get(type)) return true
            if (!isOfProgram(type)) return false
            val fields = typesOf(type, null).flatMap { (of, _) -> of.declaredFields.filter { it.isState } }
            return fields.any { it.type.isEnum || it.type == Class::class.java }
        }
    }

private fun isData(type: Class<*>) = IS_DATA.get(type)

private val IS_DATA =
    object : ClassValue<Boolean>() {
        override fun computeValue(type: Class<*>) =
            isOfProgram(type) && (type.isRecord || type.declaredMethods.any { it.name == "component1" })
    }

/** The name of a field of [type] that no save holds; null if there is none. */
internal fun transientFieldOf(type: Class<*>): String? = TRANSIENT_FIELD.get(type)

private val TRANSIENT_FIELD =
    object : ClassValue<String?>() {
        override fun computeValue(type: Class<*>) =
            typesOf(type, null)
                .flatMap { (of, _) -> if (isOfLibrary(of)) emptyList() else of.declaredFields.asList() }
                .find { Modifier.isTransient(it.modifiers) && !Modifier.isStatic(it.modifiers) }
                ?.name
    }

/** Why the order of a table of this form changes at a restart, as the end of a sentence; null if it does not. */
internal fun ContainerForm.whyReordered(parts: Array<Any?>): String? {
    val why =
        when {
            isOrderedByRun -> if (parts.size > stride) ", so" else return null
            growsByItself && hasOtherOrder(parts) -> " that has grown otherwise than a new one, so"
            !isOrderedByHash || !anyKey(parts) { hasLooseHash(it) } -> return null
            anyKey(parts, ::hasIdentityHash) -> " with keys that have no hashCode of their own, so"
            else -> " with keys whose hashCode seems to go through enums, classes, or objects that have none, so"
        }
    return "$why that its order changes at a restart: use a LinkedHashMap or a LinkedHashSet."
}

/** Whether a new one, filled with [parts], lists them in another order; of keys whose hash may change, the reading back finds it. */
private fun ContainerForm.hasOtherOrder(parts: Array<Any?>) =
    keysIn(parts).all(::hasFixedHash) && !isFilled(make(NO_PARTS, 0).also { fill(it, parts) }, parts, 0)

/** Whether the objects in it can come to stand elsewhere without being put there. */
internal fun ContainerForm.canBeMisplaced(parts: Array<Any?>): Boolean =
    when (stage) {
        GraphStage.ORDERED -> true
        GraphStage.HASHED -> type != IdentityHashMap::class.java && anyKey(parts) { !hasFixedHash(it) }
        else -> false
    }

private inline fun ContainerForm.anyKey(parts: Array<Any?>, isOne: (Any) -> Boolean): Boolean {
    for (index in parts.indices step stride) if (parts[index]?.let(isOne) == true) return true
    return false
}

/** Refuses [holder] if a restart cannot fill another one as it is filled. */
internal fun ContainerForm.requireInPlace(holder: Any, work: HashWork) {
    val parts = parts(holder)
    if (stage == GraphStage.HASHED) return requireFound(holder, keysIn(parts).filterNot(::hasFixedHash), work)
    val again = make(parts.copyOf(needed), 0).also { fill(it, parts.copyOfRange(needed, parts.size)) }
    if (!isFilled(again, parts, needed)) throw misplaced("has elements that have changed since they were put in")
}

private fun ContainerForm.requireFound(table: Any, keys: List<Any>, work: HashWork) {
    if (keys.any(work::isTooMuch)) throw GraphRefusal("has a key with $TOO_MUCH_IN_WORDS", "take a smaller key")
    val changed = keys.find { !hasKey(table, it) }
    if (changed != null) throw misplaced("has a key that has changed since it was put in, a ${changed.javaClass.name}")
    val isUnique = HashSet(keys).size == keys.size
    if (!isUnique) throw misplaced("has two keys that have become equal, a ${keys.first().javaClass.name}")
}

private fun misplaced(why: String) = GraphRefusal(why, "take it out before it changes, and put it in again")

/** Whether [holder] has [parts], from index [from] of these on, in their order. */
internal fun ContainerForm.isFilled(holder: Any, parts: Array<Any?>, from: Int): Boolean {
    val found = parts(holder)
    return found.size - needed == parts.size - from &&
        (from until parts.size).all { found[needed + it - from] === parts[it] }
}

/**
 * Counts what a hash asks, as often as it does, before it is asked for: lists that hold each other twice would take years.
 *
 * @param unfilled what will be in those that are empty yet
 */
internal class HashWork(private val unfilled: Map<Any, Array<Any?>> = emptyMap()) {
    private val known = IdentityHashMap<Any, Long>()

    fun isTooMuch(key: Any): Boolean = of(key, 0) > MOST_WORK

    private fun of(found: Any?, depth: Int): Long {
        val form = found?.let { graphContainers[it.javaClass.name] }
        if (form == null || hasIdentityHash(found)) return 1
        known[found]?.let { return it }
        if (depth == MOST_DEPTH) return ENDLESS
        known[found] = ENDLESS // If it holds itself.
        val parts = unfilled[found] ?: form.parts(found)
        val work = parts.fold(1L) { sum, part -> minOf(ENDLESS, sum + of(part, depth + 1)) }
        known[found] = work
        return work
    }

    private companion object {
        const val MOST_WORK = 1L shl 24
        const val MOST_DEPTH = 500
        const val ENDLESS = MOST_WORK + 1
    }
}

internal const val TOO_MUCH_IN_WORDS = "more than 16777216 elements, or of more than 500 levels"
private val NO_PARTS = emptyArray<Any?>()
private const val MOST_LEVELS = 6
private const val MOST_LOOKED_AT = 8
