package dev.cairn.item

import dev.cairn.checkpoint.StreamInput
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.state.PerRankRule
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.io.OutputStream
import java.lang.System.Logger.Level.WARNING

/** The objects of each rank's own that one leads to: Cairn writes them, and makes them again. */
internal class GraphItem<T>(
    override val id: ItemName,
    private val scope: GraphScope,
    get: () -> T,
    set: (T) -> Unit,
    rule: PerRankRule<T>,
    private val reached: ReachedObjects,
) : ValueStreamItem<T, RestoredGraph>(GraphItemKind, get, set, rule) {
    /** What was warned about. */
    private val warned = HashSet<String>()

    /** The classes that this run has read back, and those of keys in tables. */
    private val readBack = HashSet<String>()
    private var saveCount = 0

    /** What a restart may make, since the program will have the same root when it begins to restore; null if it has not begun. */
    private var guard: GraphGuard? = null

    override val reader get() = "reading"

    override val remedy get() =
        "let no other thread change it, save that part in another way, or let the field that leads to it be transient"

    override fun whenCaptured() = reached.forget(this)

    override fun beforeRestore() {
        guard = scope.guardFor(runCatching(get).getOrNull())
    }

    override fun write(target: OutputStream) {
        val walk = reached.walkThrough(this, ::walk)
        walk.requireInPlace()
        walk.warnings(warned::add).forEach(::warn)
        if (isReadBackDue(walk)) {
            requireReadable(walk)
        } else if (readBack.isNotEmpty()) {
            refusingUnfit { RecordTrial(name, walk).run() }
        }
        GraphWriting(name, walk, target).run()
    }

    /**
     * The run itself reads the first save back. A later one has classes that were not there, or objects whose code decides what comes back:
     * what it does with one of them proves little for the next, so these are read back more and more seldom.
     */
    private fun isReadBackDue(walk: GraphWalk): Boolean {
        saveCount++
        if (readBack.isEmpty()) return false
        val isRepeated = saveCount.countOneBits() == 1 && walk.dependsOnCode
        return isRepeated || !readBack.containsAll(walk.classNames + walk.classesInPlaces())
    }

    private fun walk(claimed: (Any) -> String? = { null }): GraphWalk {
        val root = get()
        return GraphWalk(name, mapOf(name to root), scope.formsOf(guard ?: scope.guardFor(root)), claimed)
    }

    private fun requireReadable(walk: GraphWalk) =
        refusingUnfit { flawOf(copyOf(walk), walk)?.let { throw notReadBack(it) } }

    private inline fun refusingUnfit(attempt: () -> Unit) =
        try {
            attempt()
        } catch (unfit: Mismatch) {
            throw notReadBack("${unfit.message?.removeSuffix(".")}", unfit)
        }

    private fun copyOf(walk: GraphWalk): RestoredGraph {
        val written = WrittenBytes().also { GraphWriting(name, walk, it).run() }
        return read(written.read(), written.size().toLong(), walk.forms)
    }

    /** Bytes that are read where they are. */
    private class WrittenBytes : ByteArrayOutputStream() {
        fun read() = ByteArrayInputStream(buf, 0, count)
    }

    override fun read(source: StreamInput): RestoredGraph = read(source, source.left, formsFor(get()))

    private fun read(source: InputStream, length: Long, forms: GraphForms): RestoredGraph =
        try {
            GraphReading(name, forms, source, length).read()
        } catch (damage: DamagedGraph) {
            throw notFitting(
                name,
                "the graph '$name' cannot be restored: ${damage.message}. Its bytes are those that were saved, so " +
                    "no program like this one has saved them: begin a new run, or restore an earlier save.",
            ).apply { addSuppressed(damage) }
        }

    @Suppress("UNCHECKED_CAST") // Its class is one that the program allows, and the setter says what it takes.
    override fun valueOf(read: RestoredGraph): T = read.roots.values.single() as T

    override fun requireTaken(given: T) {
        val now = get()
        if (now === given || listSame(now, given)) return
        val (mine, its) = listOf(given, now).map { GraphWalk(name, mapOf(name to it), formsFor(it)).content }
        val difference = GraphComparison(mine, its).firstDifference() ?: return
        throw notFitting(
            name,
            "the setter of the graph '$name' did not take what was saved: '${difference.path}' is ${difference.mine} " +
                "there, and its function returns ${difference.its}. Let the setter put that in the place of this.",
        )
    }

    private fun formsFor(root: T) = scope.formsOf(scope.guardFor(root))

    /** Whether both are of one class, such as an array or a record of the roots, and lead to the same objects. */
    private fun listSame(now: T, given: T): Boolean {
        if (now == null || given == null || now.javaClass != given.javaClass) return false
        val (mine, its) = listOf<Any>(now, given).map { partsOf(it, null) }
        return mine.isNotEmpty() && mine.size == its.size && mine.indices.all { mine[it].value === its[it].value }
    }

    override fun flawOf(read: RestoredGraph): String? = flawOf(read, walk())

    private fun flawOf(read: RestoredGraph, walk: GraphWalk): String? {
        val comparison = GraphComparison(walk.content, read.content)
        comparison.firstDifference()?.run { return "'$path' is $mine, and was read as $its" }
        lostKeyOf(walk, read, comparison)?.let { return "'${walk.pathTo(it)}' is a key, and $OTHER_HASH" }
        comparison.reordered.forEach { (name, number) -> warnOfOrder(name, number, comparison, walk) }
        readBack += walk.classNames + walk.classesInPlaces()
        return null
    }

    /**
     * A key whose hash is another one in the graph that was [read]; but not if it is another one in each copy, as by addresses, of which
     * it warns where the walk has not.
     */
    private fun lostKeyOf(walk: GraphWalk, read: RestoredGraph, comparison: GraphComparison): Any? {
        fun copied(key: Any) = read.objects[comparison.partnerOf(walk.numbers.of(key))]
        val changed = walk.unsureKeys().filter { (key) -> copied(key)?.let { it.hashCode() != key.hashCode() } == true }
        val again = if (changed.isEmpty()) return null else copyOf(walk)
        val lost = changed.find { (key) -> again.objects[walk.numbers.of(key)].hashCode() == copied(key).hashCode() }
        val moved = changed.find { (key, form) -> form.isOrderedByHash && !hasLooseHash(key) }
        if (lost == null && moved != null && warned.add(MOVED)) warn("'${walk.pathTo(moved.first)}' $MOVED")
        return lost?.first
    }

    /** Tables of keys with the hash of their addresses were warned about before. */
    private fun warnOfOrder(name: String, number: Int, comparison: GraphComparison, walk: GraphWalk) {
        val table = walk.numbers[number]
        val form = walk.forms.of(table) as ContainerForm
        if (form.whyReordered(form.parts(table)) != null || MOVED in warned || !warned.add("(order) $name")) return
        warn(
            "'${comparison.pathTo(number)}' is a $name whose order is another one after a restart, as many of its " +
                "keys stand in one place: use a LinkedHashMap or a LinkedHashSet.",
        )
    }

    override fun loss(): String? =
        saving {
            val walk = reached.walkThrough(this, ::walk).apply { requireInPlace() }
            flawOf(copyOf(walk), walk)
        }

    private fun warn(sentence: String) = LOG.log(WARNING, sentence)

    private companion object {
        val LOG: System.Logger = System.getLogger(GraphItem::class.java.name)
        const val MOVED =
            "is a key whose hashCode is another one in each run, so that the order of its table changes at a " +
                "restart: use a LinkedHashMap or a LinkedHashSet."
        const val OTHER_HASH = "its hashCode is another one after a restart: let it read no transient field"
    }
}

/** Objects of each rank's own, of any number. */
internal object GraphItemKind :
    UnsizedKind(
        "graph",
        remedy = "PerRankRule.Merge or PerRankRule.Drop",
        adviceOnForms = "use sets and maps that keep an order, such as a LinkedHashMap",
    ) {
    override fun objectsIn(stored: StreamInput) = StoredGraph(GraphInput(stored, stored.left))
}

/**
 * What a graph may hold.
 *
 * @property packages whose classes it may have beside that of its root
 * @property outside objects of the program that stay, by their names
 */
internal class GraphScope(private val packages: Set<String>, private val outside: Map<String, Any>) {
    /** If the root is an array, the classes of its elements count as well. */
    fun guardFor(root: Any?) = GraphGuard.of((root as? Array<*>)?.asList().orEmpty() + root, packages)

    fun formsOf(guard: GraphGuard) = GraphForms(guard, outside)
}
