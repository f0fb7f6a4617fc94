package dev.cairn.item

import dev.cairn.event.fullLine
import java.io.ByteArrayOutputStream
import java.lang.reflect.Array.getLength
import java.util.IdentityHashMap

/**
 * All objects to which [roots] lead, each once, in groups of one form. The walk needs no stack: objects that are found wait in the order
 * of their numbers. Refuses with its path what a restart would not bring back.
 *
 * @param name of the graph, for messages
 * @param claimed the path by which another item has an object that may not be made twice; null if none has it
 */
internal class GraphWalk(
    private val name: String,
    val roots: Map<String, Any?>,
    val forms: GraphForms,
    private val claimed: (Any) -> String? = { null },
) {
    val numbers = GraphNumbers()

    /** In the order of the stored table. */
    val groups: List<GraphGroup>

    private val groupsByForm = IdentityHashMap<GraphForm, GraphGroup>()
    private val found = ArrayList<GraphGroup>()
    private var last: GraphGroup? = null

    /** For each number, the index of its group. */
    private val groupIndices = IntColumn()

    /** What may not come back as it is, by what it is about: a class, or a static field. */
    private val doubts = LinkedHashMap<String, Doubt>()

    /** Tables and queues whose content may have changed since it was put there. */
    private val unsure = ArrayList<Any>()
    private val spare = SpareBuckets()

    /** For messages: the object that is looked at. */
    private var present: Any? = null

    /** References that are looked up together, so that the memory is read for many at once. */
    private val ahead = arrayOfNulls<Any>(AHEAD_SIZE)
    private val holders = arrayOfNulls<GraphGroup>(AHEAD_SIZE)
    private val hashes = IntArray(AHEAD_SIZE)
    private var aheadCount = 0

    init {
        looking {
            for (root in roots.values) number(root, System.identityHashCode(root))
            expandAll()
            compareStaticFields(found.map { it.form }.filter { it.hasProgramClass }.map { it.type })
        }
        groups = inOrder()
    }

    /** Names what it looks at by its path if that is refused, or cannot be looked at. */
    private inline fun looking(look: () -> Unit) =
        try {
            look()
        } catch (refused: GraphRefusal) {
            throw notStorable(refused)
        } catch (failure: RuntimeException) {
            val refused = GraphRefusal("cannot be saved: ${failure.fullLine()}", AT_REST)
            throw notStorable(refused).apply { addSuppressed(failure) }
        }

    private fun notStorable(refused: GraphRefusal) =
        notStorable(name, "'${pathTo(checkNotNull(present))}' ${refused.why}: ${refused.remedy}.")

    /** Null if the graph does not hold [found]. */
    fun pathIfHeld(found: Any): String? = if (numbers.of(found) == 0) null else pathTo(found)

    val content get() = PresentGraph(roots, numbers, forms)

    fun pathTo(found: Any): String = GraphPaths(content).find(numbers.of(found))

    val classNames: List<String> get() = groups.map { it.form.name }

    /** A sentence with its path for each doubt about what [isNew] takes. */
    fun warnings(isNew: (String) -> Boolean = { true }): List<String> =
        doubts.filterKeys(isNew).values.map { "'${pathTo(it.found)}' ${it.words}" }

    /** Refuses tables and queues that cannot be filled again as they are. */
    fun requireInPlace() {
        val work = HashWork()
        for (holder in unsure) {
            present = holder
            looking { (forms.of(holder) as ContainerForm).requireInPlace(holder, work) }
        }
    }

    /** Whether constructors, hashes or comparisons of the program decide what comes back. */
    val dependsOnCode get() = unsure.isNotEmpty() || groups.any { it.form.hasCodeOfItsOwn }

    /** The classes of all that stands in a table or queue where code of its own has put it, with the names of these. */
    fun classesInPlaces(): Set<String> =
        unsure.flatMapTo(HashSet()) { holder ->
            val form = forms.of(holder) as ContainerForm
            form.keysIn(form.parts(holder)).map { "${form.name} of ${it.javaClass.name}" }
        }

    /** Those keys of hash tables whose hash may become another one, with the forms of the tables. */
    fun unsureKeys(): List<Pair<Any, ContainerForm>> =
        unsure.flatMap { holder ->
            val form = forms.of(holder) as ContainerForm
            val keys = if (form.stage == GraphStage.HASHED) form.keysIn(form.parts(holder)) else emptyList()
            keys.filterNot(::hasFixedHash).map { it to form }
        }

    /** Refuses an object that [owner] has, too, if it matters whether it is the same one. */
    fun requireApart(found: Any, owner: String) {
        if (numbers.of(found) != 0 && forms.of(found).isOwned) requireNoRow(found, owner)
    }

    /** Refuses a row of the table [owner], also one that the program keeps outside: a restart makes a new one. */
    fun requireNoRow(row: Any, owner: String) {
        if (numbers.of(row) == 0 || isValueOfJdk(row) || row is Enum<*>) return
        present = row
        throw notStorable(madeTwice(owner))
    }

    private fun madeTwice(owner: String) =
        GraphRefusal("is also '$owner', and a restart would make two of it", "let one ask the other for it")

    private fun expandAll() {
        var next = 1
        while (next <= numbers.count) {
            expand(numbers[next], found[groupIndices[next - 1]])
            next++
            if (next > numbers.count) lookUp()
        }
    }

    private fun expand(holder: Any, group: GraphGroup) {
        present = holder
        val form = group.form
        if (form is ContainerForm) return expand(holder, form, group)
        form.encoded(holder)?.let(group::add)
        if (form.kind.isSized) group.lengths.add(getLength(holder))
        form.forEach(holder) { refer(it, group) }
    }

    private fun expand(holder: Any, form: ContainerForm, group: GraphGroup) {
        val parts = form.parts(holder)
        group.lengths.add(parts.size)
        form.facts?.let { group.facts.add(kept(it(holder), holder, form, parts.size)) }
        val isPlaced = form.stage >= GraphStage.HASHED && !form.holdsConstantValues(parts)
        if (isPlaced || form.isOrderedByRun || form.growsByItself) notePlaces(holder, form, parts)
        for (part in parts) refer(part, group)
    }

    /** The [facts] of a container, apart from the size of a table that is too large for its content. */
    private fun kept(facts: Int, holder: Any, form: ContainerForm, partCount: Int): Int {
        if (spare.take(form, facts, partCount)) return facts
        val words =
            "is the last of hash tables with ${SpareBuckets.MOST} empty places. Its size is not kept, so that its " +
                "order may change at a restart: copy it into a new one."
        doubts.putIfAbsent("(sizes)", Doubt(holder, words))
        return USUAL_SIZE
    }

    private fun notePlaces(holder: Any, form: ContainerForm, parts: Array<Any?>) {
        if (form.canBeMisplaced(parts)) unsure += holder
        if (form.stage == GraphStage.ORDERED) noteOrder(holder, parts[0])
        if (form.name in doubts) return
        form.whyReordered(parts)?.let { doubts[form.name] = Doubt(holder, "is a ${form.name}$it") }
    }

    /** A restart fills a queue before the program can set what its [comparator] does not keep. */
    private fun noteOrder(holder: Any, comparator: Any?) {
        val field = comparator?.let { transientFieldOf(it.javaClass) } ?: return
        val words =
            "has the comparator ${comparator.javaClass.name}, whose field '$field' is transient, and so empty when a " +
                "restart fills it: let that field be saved, too."
        doubts.putIfAbsent("comparator ${comparator.javaClass.name}", Doubt(holder, words))
    }

    private fun refer(target: Any?, holder: GraphGroup) {
        if (aheadCount == AHEAD_SIZE) lookUp()
        ahead[aheadCount] = target
        holders[aheadCount++] = holder
    }

    private fun lookUp() {
        for (index in 0 until aheadCount) hashes[index] = System.identityHashCode(ahead[index])
        numbers.prepare(hashes, aheadCount)
        for (index in 0 until aheadCount) {
            checkNotNull(holders[index]).references.add(number(ahead[index], hashes[index]))
        }
        aheadCount = 0
    }

    private fun number(target: Any?, hash: Int): Int {
        if (target == null) return 0
        val known = numbers.count
        val number = numbers.add(target, hash)
        if (number > known) enter(target)
        return number
    }

    private fun enter(target: Any) {
        present = target
        val form = forms.of(target)
        val group = last?.takeIf { it.form === form } ?: groupsByForm[form] ?: newGroup(form, target)
        last = group
        group.count++
        groupIndices.add(group.index)
        if (!form.isOwned) return
        claimed(target)?.let { throw madeTwice(it) }
    }

    private fun newGroup(form: GraphForm, first: Any): GraphGroup {
        if (form.type.isAnonymousClass && form.isOwned) {
            val flaw = "and another version of the program may give that name to another class"
            val words = "is of the anonymous class ${form.name}, $flaw: write a class with a name of its own."
            doubts[form.name] = Doubt(first, words)
        }
        return GraphGroup(form, found.size).also { groupsByForm[form] = it }.also(found::add)
    }

    /** Gives all objects the numbers by which they are stored, so that those of one form follow each other. */
    private fun inOrder(): List<GraphGroup> {
        val sorted = found.sortedWith(compareBy({ it.form.stage }, { it.form.kind }, { it.form.name }))
        sorted.fold(1) { first, group -> (first + group.count).also { group.first = first } }
        val next = IntArray(found.size) { found[it].first }
        val stored = IntArray(numbers.count + 1)
        for (number in 1..numbers.count) stored[number] = next[groupIndices[number - 1]]++
        numbers.renumber(stored)
        for (group in found) group.references.replace(stored)
        groupIndices.clear()
        return sorted
    }

    /**
     * An object of the graph that is in a static field of one of the [classes], too, would be two. Of the roots and what these list, the
     * setter takes care.
     */
    private fun compareStaticFields(classes: List<Class<*>>) {
        for (holder in staticHoldersOf(classes)) {
            val held = holder.held
            val isKept = numbers.of(held) != 0 && forms.of(held).isOwned
            if (!isKept || mayBeTwo(held) || isGivenToSetter(held)) continue
            present = held
            val isSentinel = isFlat(held) || held.javaClass == Any::class.java
            val outside = "name it by outside(\"${holder.name}\", …)"
            val remedy = if (isSentinel) outside else "let a field that is not static hold it"
            if (holder.isFinal) throw GraphRefusal("${holder.words}, and a restart would make two of it", remedy)
            val advice = "and a restart makes two of it: let the setter set that field, too."
            doubts[holder.words] = Doubt(held, "${holder.words}, $advice")
        }
    }

    private fun isGivenToSetter(held: Any): Boolean =
        roots.values.filterNotNull().any { root ->
            val listed = ArrayList<Any?>().apply { add(root) }
            val form = forms.of(root)
            if (form.kind == GraphKind.RECORD || form.kind == GraphKind.REFERENCES) form.forEach(root, listed::add)
            listed.any { it === held }
        }

    private class Doubt(val found: Any, val words: String)
}

/** The objects of one form. */
internal class GraphGroup(val form: GraphForm, val index: Int) {
    var count = 0

    /** The number of the first one. */
    var first = 0
    val numbers get() = first until first + count
    val lengths = IntColumn()
    val facts = IntColumn()

    /** The numbers of all that the objects lead to, one object after the other. */
    val references = IntColumn()

    /** Of values and names of constants. */
    val bytes = ByteArrayOutputStream()

    fun add(value: ByteArray) {
        lengths.add(value.size)
        bytes.write(value)
    }

    fun described(referenceSize: Int): GraphClass {
        val lengthSize = if (lengths.isEmpty) 0 else lengths.elementSize
        val factSize = if (facts.isEmpty) 0 else facts.elementSize
        val undersized = GraphClass(form.kind, form.name, form.fields, count, lengths.sum, lengthSize, factSize, 0)
        return undersized.copy(byteCount = undersized.countBytes(referenceSize))
    }
}

/** Numbers that are not negative, of any count. */
internal class IntColumn {
    private val chunks = ArrayList<IntArray>()
    private var last = IntArray(FIRST_SIZE)
    private var lastCount = 0
    private var most = 0

    var sum = 0L
        private set

    val isEmpty get() = lastCount == 0

    /** The bytes that the largest one takes. */
    val elementSize get() = GraphTable.sizeOf(most.toLong())

    operator fun get(index: Long): Int {
        val chunk = (index ushr CHUNK_BITS).toInt()
        return (if (chunk == chunks.size) last else chunks[chunk])[index.toInt() and (CHUNK_SIZE - 1)]
    }

    operator fun get(index: Int): Int = get(index.toLong())

    fun add(number: Int) {
        if (lastCount == last.size) extend()
        last[lastCount++] = number
        sum += number
        if (number > most) most = number
    }

    private fun extend() {
        if (lastCount < CHUNK_SIZE) {
            last = last.copyOf(lastCount * 2)
        } else {
            chunks += last
            last = IntArray(CHUNK_SIZE)
            lastCount = 0
        }
    }

    /** Puts the number that [others] has at each one into its place. */
    fun replace(others: IntArray) {
        for (chunk in chunks.plusElement(last)) for (index in chunk.indices) chunk[index] = others[chunk[index]]
    }

    fun clear() {
        chunks.clear()
        last = IntArray(0)
        lastCount = 0
    }

    private companion object {
        const val FIRST_SIZE = 16
        const val CHUNK_BITS = 16
        const val CHUNK_SIZE = 1 shl CHUNK_BITS
    }
}

/**
 * Hash tables keep their sizes, since these decide the order of their elements. Tables that are much larger than their content are so only
 * up to a sum, lest a few bytes let a restart allocate any memory.
 */
internal class SpareBuckets {
    private var left = MOST

    /** False if it would be more than that sum. */
    fun take(form: ContainerForm, facts: Int, partCount: Int): Boolean {
        if (!form.isOrderedByHash) return true
        val spare = maxOf(0, (1L shl facts) - BUCKETS_FOR_EACH * (partCount + 1L))
        return (spare <= left).also { if (it) left -= spare }
    }

    companion object {
        const val MOST = 1L shl 24
        private const val BUCKETS_FOR_EACH = 64
    }
}

private const val AHEAD_SIZE = 512

/** Of a hash table, as the binary logarithm. */
private const val USUAL_SIZE = 4
private const val AT_REST = "correct that, or let no other thread change it while it is saved"
