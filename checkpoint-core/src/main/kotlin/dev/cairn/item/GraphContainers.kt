package dev.cairn.item

import dev.cairn.item.ContainerForm.Companion.ALL
import java.util.AbstractMap.SimpleEntry
import java.util.AbstractMap.SimpleImmutableEntry
import java.util.Arrays
import java.util.Collections
import java.util.EnumMap
import java.util.EnumSet
import java.util.IdentityHashMap
import java.util.LinkedList
import java.util.List.copyOf
import java.util.NavigableMap
import java.util.NavigableSet
import java.util.Optional
import java.util.PriorityQueue
import java.util.SortedMap
import java.util.SortedSet
import java.util.Stack
import java.util.TreeMap
import java.util.TreeSet
import java.util.Vector
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentHashMap.KeySetView
import java.util.concurrent.ConcurrentLinkedDeque
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.ConcurrentSkipListMap
import java.util.concurrent.ConcurrentSkipListSet
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CopyOnWriteArraySet
import java.util.concurrent.PriorityBlockingQueue
import java.util.concurrent.atomic.AtomicReference
import java.util.ArrayDeque as JavaDeque

private typealias Items = MutableCollection<Any?>
private typealias Entries = MutableMap<Any?, Any?>
private typealias Order = Comparator<Any?>

/** The collections of the JDK and of Kotlin that a graph may hold, and what else holds objects there, by the names of their classes. */
internal val graphContainers: Map<String, ContainerForm> by lazy {
    (LISTS + HASHED + SORTED + OF_ENUMS + UNCHANGING_ONES + WRAPPERS + HOLDERS).associateBy { it.name }
}

private fun partsOf(found: Any): Array<Any?> =
    if (found is Map<*, *>) {
        val parts = ArrayList<Any?>(2 * found.size)
        found.forEach { (key, value) -> parts.add(key).also { parts.add(value) } }
        parts.toArray()
    } else {
        @Suppress("PLATFORM_CLASS_MAPPED_TO_KOTLIN") // Its array is a copy.
        (found as java.util.Collection<*>).toArray()
    }

@Suppress("UNCHECKED_CAST") // As partsOf has taken them from it.
private fun fill(empty: Any, parts: Array<Any?>) {
    if (empty is MutableMap<*, *>) {
        for (index in parts.indices step 2) (empty as Entries)[parts[index]] = parts[index + 1]
    } else if (empty is ArrayList<*>) {
        empty.ensureCapacity(parts.size)
        for (part in parts) (empty as ArrayList<Any?>).add(part)
    } else if (empty is AtomicReference<*>) {
        (empty as AtomicReference<Any?>).set(parts[0])
    } else {
        (empty as Items).addAll(parts.asList())
    }
}

private fun filled(
    stage: GraphStage,
    facts: ((Any) -> Int)? = null,
    parts: (Any) -> Array<Any?> = ::partsOf,
    make: (Int) -> Any,
) = ContainerForm(make(0).javaClass, stage, 0, parts, { _, fact -> make(fact) }, ::fill, facts)

/** A text or a number is another object after a restart, and would not be found. */
private fun partsOfIdentities(map: Any): Array<Any?> {
    val value = (map as Map<*, *>).keys.find { it != null && graphValues[it.javaClass.name]?.isOwned == false }
    if (value == null) return partsOf(map)
    val why = "finds ${value.javaClass.name}s by their identity, which is another one after a restart"
    throw GraphRefusal(why, "use a HashMap")
}

private val LISTS =
    listOf<(Int) -> Any>(
        { ArrayList<Any?>() },
        { JavaDeque<Any?>() },
        { LinkedList<Any?>() },
        { Vector<Any?>() },
        { Stack<Any?>() },
        { CopyOnWriteArrayList<Any?>() },
        { ConcurrentLinkedQueue<Any?>() },
        { ConcurrentLinkedDeque<Any?>() },
        { ArrayDeque<Any?>() },
    ).map { filled(GraphStage.FILLED, make = it) }

private val HASHED =
    listOf(
        filled(GraphStage.HASHED, SerializedForm::capacityOf) { HashMap<Any?, Any?>(1 shl it) },
        filled(GraphStage.HASHED, SerializedForm::capacityOf) { HashSet<Any?>(1 shl it) },
        filled(GraphStage.HASHED, { if (SerializedForm.isInAccessOrder(it as LinkedHashMap<*, *>)) 1 else 0 }) {
            LinkedHashMap<Any?, Any?>(16, 0.75f, it == 1)
        },
        filled(GraphStage.HASHED) { LinkedHashSet<Any?>() },
        filled(GraphStage.HASHED) { ConcurrentHashMap<Any?, Any?>() },
        filled(GraphStage.HASHED, parts = ::partsOfIdentities) { IdentityHashMap<Any?, Any?>() },
        filled(GraphStage.HASHED) { CopyOnWriteArraySet<Any?>() },
    )

/** Made with their comparator, which is the first part, and filled by it, so that a restart notices if it orders otherwise. */
@Suppress("UNCHECKED_CAST") // What it is a comparator of, is not known here.
private val SORTED =
    listOf<(Order?) -> Any>(
        { TreeMap<Any?, Any?>(it) },
        { TreeSet(it) },
        { PriorityQueue(it) },
        { PriorityBlockingQueue(11, it) },
        { ConcurrentSkipListMap<Any?, Any?>(it) },
        { ConcurrentSkipListSet(it) },
    ).map { make ->
        val parts = { found: Any -> arrayOf(orderOf(found), *partsOf(found)) }
        val makeBy = { needed: Array<Any?>, _: Int -> make(needed[0] as Order?) }
        ContainerForm(make(null).javaClass, GraphStage.ORDERED, 1, parts, makeBy, ::fill)
    }

private fun orderOf(sorted: Any): Comparator<*>? =
    when (sorted) {
        is SortedMap<*, *> -> sorted.comparator()
        is SortedSet<*> -> sorted.comparator()
        is PriorityQueue<*> -> sorted.comparator()
        else -> (sorted as PriorityBlockingQueue<*>).comparator()
    }

/** Made with the class of their constants, which is the first part. */
private fun ofEnum(type: Class<*>, typeOf: (Any) -> Class<*>, make: (Class<Thread.State>) -> Any): ContainerForm {
    @Suppress("UNCHECKED_CAST") // A class of constants.
    val makeOf = { parts: Array<Any?>, _: Int -> make(parts[0] as Class<Thread.State>) }
    return ContainerForm(type, GraphStage.FILLED, 1, { arrayOf(typeOf(it), *partsOf(it)) }, makeOf, ::fill)
}

private val OF_ENUMS =
    listOf("java.util.RegularEnumSet", "java.util.JumboEnumSet").map { name ->
        ofEnum(Class.forName(name), ::constantsIn) { EnumSet.noneOf(it) }
    } + ofEnum(EnumMap::class.java, SerializedForm::keyTypeOf) { EnumMap<Thread.State, Any?>(it) }

/** Of an empty set, its complement shows it. */
@Suppress("UNCHECKED_CAST") // A set of constants.
private fun constantsIn(set: Any): Class<*> {
    val some: Collection<*> = (set as EnumSet<Thread.State>).ifEmpty { EnumSet.complementOf(set) }
    val first = some.firstOrNull() ?: throw GraphRefusal("is a set of an enum without constants")
    return (first as Enum<*>).declaringJavaClass
}

private fun built(type: Class<*>, parts: (Any) -> Array<Any?> = ::partsOf, make: (Array<Any?>) -> Any) =
    built(type, null, parts) { all, _ -> make(all) }

private fun built(
    type: Class<*>,
    facts: ((Any) -> Int)?,
    parts: (Any) -> Array<Any?>,
    make: (Array<Any?>, Int) -> Any,
) = ContainerForm(type, GraphStage.BUILT, ALL, parts, make, facts = facts)

/** Those that hash their keys as they are made, before fields are set, take only keys to which that does not matter. */
private fun hashedAtOnce(type: Class<*>, make: (Array<Any?>) -> Any) =
    built(type, { requireHashesAtOnce(it.javaClass, partsOf(it)) }) { make(requireHashesAtOnce(type, it)) }

private fun requireHashesAtOnce(type: Class<*>, parts: Array<Any?>): Array<Any?> {
    if (graphContainers.getValue(type.name).keysIn(parts).all(::hasFixedHash)) return parts
    throw GraphRefusal("is made by Set.of or Map.of from keys whose hash reads their fields", "use a LinkedHash…")
}

private fun listOfParts(parts: Array<Any?>, takesNull: Int): List<Any?> =
    if (takesNull == 1 || null in parts) Arrays.stream(parts).toList() else java.util.List.of(*parts)

/** 1 if [list] was made by a stream, so that it takes the question for null, where one of `List.of` throws. */
private fun takesNull(list: Any): Int = if (null in (list as List<*>).toTypedArray() || copyOf(list) !== list) 1 else 0

private val UNCHANGING_ONES =
    listOf(
        built(listOfParts(arrayOf(1), 0).javaClass) { listOfParts(it, 0) },
        built(listOfParts(arrayOf(1, 2, 3), 0).javaClass, ::takesNull, ::partsOf, ::listOfParts),
        built(Collections.singletonList(1).javaClass) { (one) -> Collections.singletonList(one) },
        built(Collections.singleton(1).javaClass) { (one) -> Collections.singleton(one) },
        built(Collections.singletonMap(1, 1).javaClass) { (key, value) -> Collections.singletonMap(key, value) },
    ) +
        listOf(java.util.Set.of(1), java.util.Set.of(1, 2, 3)).map { some ->
            hashedAtOnce(some.javaClass) { java.util.Set.of(*it) }
        } +
        listOf(java.util.Map.of(1, 1), java.util.Map.of(1, 1, 2, 2)).map { some ->
            hashedAtOnce(some.javaClass) { parts ->
                val entries = List(parts.size / 2) { SimpleEntry(parts[2 * it], parts[2 * it + 1]) }
                java.util.Map.ofEntries(*entries.toTypedArray())
            }
        }

/** Around an object, which is its part, or around an unchanging list that does not show, so that its elements are the parts. */
private fun <T : Any> wrapper(of: T, wrap: (T) -> Any): ContainerForm {
    val facts = { found: Any -> if (of is List<*> && SerializedForm.hidesList(found)) 1 else 0 }
    val parts = { it: Any -> if (facts(it) == 1) partsOf(it) else arrayOf<Any?>(SerializedForm.wrappedIn(it)) }
    return built(wrap(of).javaClass, facts.takeIf { of is List<*> }, parts) { all, fact ->
        @Suppress("UNCHECKED_CAST") // It is around one of these.
        wrap((if (fact == 1) listOfParts(all, 0) else all.single()) as T)
    }
}

private val WRAPPERS =
    listOf(
        wrapper<Collection<Any?>>(ArrayList(), Collections::unmodifiableCollection),
        wrapper<List<Any?>>(LinkedList(), Collections::unmodifiableList),
        wrapper<List<Any?>>(ArrayList(), Collections::unmodifiableList),
        wrapper<Set<Any?>>(HashSet(), Collections::unmodifiableSet),
        wrapper<SortedSet<Any?>>(TreeSet(), Collections::unmodifiableSortedSet),
        wrapper<NavigableSet<Any?>>(TreeSet(), Collections::unmodifiableNavigableSet),
        wrapper<Map<Any?, Any?>>(HashMap(), Collections::unmodifiableMap),
        wrapper<SortedMap<Any?, Any?>>(TreeMap(), Collections::unmodifiableSortedMap),
        wrapper<NavigableMap<Any?, Any?>>(TreeMap(), Collections::unmodifiableNavigableMap),
        wrapper<Collection<Any?>>(ArrayList(), Collections::synchronizedCollection),
        wrapper<List<Any?>>(LinkedList(), Collections::synchronizedList),
        wrapper<List<Any?>>(ArrayList(), Collections::synchronizedList),
        wrapper<Set<Any?>>(HashSet(), Collections::synchronizedSet),
        wrapper<Map<Any?, Any?>>(HashMap(), Collections::synchronizedMap),
        wrapper<MutableMap<Any?, Boolean>>(HashMap()) { Collections.newSetFromMap(it) },
        wrapper<Array<Any?>>(emptyArray()) { it.asList() },
        wrapper<Comparator<String>>(String.CASE_INSENSITIVE_ORDER, Collections::reverseOrder),
    )

@Suppress("UNCHECKED_CAST") // What they hold, is not known here.
private val HOLDERS =
    listOf(
        built(
            Optional::class.java,
            { arrayOf((it as Optional<*>).orElse(null)) },
        ) { (held) -> Optional.ofNullable(held) },
        built(SimpleImmutableEntry::class.java, ::keyAndValueOf) { (key, value) -> SimpleImmutableEntry(key, value) },
        built(entryOf(1, 1).javaClass, ::keyAndValueOf) { (key, value) -> entryOf(key!!, value!!) },
        built(SimpleEntry::class.java, ::keyAndValueOf) { (key, value) -> SimpleEntry(key, value) },
        filled(GraphStage.FILLED, parts = { arrayOf((it as AtomicReference<*>).get()) }) { AtomicReference<Any?>() },
        built(KeySetView::class.java, { arrayOf((it as KeySetView<*, *>).map, it.mappedValue) }) { (map, value) ->
            (map as ConcurrentHashMap<Any?, Any?>).run { if (value == null) keys else keySet(value) }
        },
    )

private fun entryOf(key: Any, value: Any) = java.util.Map.entry(key, value)

private fun keyAndValueOf(entry: Any): Array<Any?> = (entry as Map.Entry<*, *>).run { arrayOf(key, value) }
