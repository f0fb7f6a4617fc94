package dev.cairn.heap

/** Where a value lies: a [step] from the [pair] of objects that hold it, as in [Pairs]. */
internal class Spot(val pair: Int, val step: Int)

/**
 * Walks through two heaps in lockstep, breadth first, and tells [differences] what is not the same. An object is compared once, with the
 * first partner; with others it is only compared as long as there are few.
 */
internal class HeapWalk(
    private val left: Side,
    private val right: Side,
    private val roots: List<Root>,
    private val pairs: Pairs,
    private val differences: Differences,
) {
    private val partners = IntArray(left.dump.count)
    private val sameClasses = arrayOfNulls<HeapClass>(left.dump.classes.size)
    private val morePartners = HashSet<Long>()
    private val alike = HashMap<HeapClass, AlikeFields>()
    private val leftPrints = Fingerprints(left)
    private val rightPrints = Fingerprints(right)
    private var next = 0

    /** Fields of a class that both dumps have, by their steps. */
    private class AlikeFields(
        val right: HeapClass,
        val steps: IntArray,
        val left: Array<HeapField>,
        val others: Array<HeapField>,
    )

    fun walk() {
        roots.forEachIndexed { number, root -> compare(root.type, root.unbroken, root.restarted, Pairs.ROOT, number) }
        while (next < pairs.size) compareObjects(next++)
    }

    private fun compare(type: ValueType, one: Long, other: Long, parent: Int, step: Int) {
        when {
            type == ValueType.REFERENCE -> compareReferences(one, other, parent, step)
            one != other -> differences.add(Spot(parent, step), type.text(one), type.text(other))
        }
    }

    private fun compareReferences(one: Long, other: Long, parent: Int, step: Int) {
        if (one == 0L && other == 0L) return
        val a = left.dump.numberOf(one)
        val b = right.dump.numberOf(other)
        if (a != HeapDump.NONE && b != HeapDump.NONE) return compareNumbered(a, b, parent, step)
        if ((a != HeapDump.NONE && left.leavesOut(a)) || (b != HeapDump.NONE && right.leavesOut(b))) return
        val (unbroken, restarted) = left.describe(one) to right.describe(other)
        if (unbroken != restarted) differences.add(Spot(parent, step), unbroken, restarted)
    }

    private fun compareNumbered(a: Int, b: Int, parent: Int, step: Int) {
        val (mine, its) = left.dump.classOf(a) to right.dump.classOf(b)
        val (shape, other) = left.shapes.of(mine) to right.shapes.of(its)
        val isSame = isSameClass(mine, its)
        when {
            shape.isLeftOut && other.isLeftOut -> return
            isSame && shape.form is ClassShape.Form.AsText -> compareWithFields(a, b, Spot(parent, step))
            shape.isConstant && other.isConstant -> compareWithFields(a, b, Spot(parent, step))
            isSame || isSameFamily(shape.content, other.content) -> pair(a, b, parent, step)
            else -> differences.add(Spot(parent, step), left.describe(a), right.describe(b))
        }
    }

    private fun isSameFamily(mine: Content?, its: Content?) = mine != null && mine.family == its?.family

    private fun isSameClass(mine: HeapClass, its: HeapClass): Boolean {
        if (sameClasses[mine.number] === its) return true
        val isSame = mine.stableName == its.stableName
        if (isSame) sameClasses[mine.number] = its
        return isSame
    }

    /** The fields of a constant may change, and so may those that the program has added to a class of the JDK. */
    private fun compareWithFields(a: Int, b: Int, spot: Spot) {
        compareTexts(a, b, spot)
        if (left.textOf(a) == right.textOf(b) && left.shapeOf(a).fields.isNotEmpty()) pair(a, b, spot.pair, spot.step)
    }

    private fun compareTexts(a: Int, b: Int, spot: Spot) {
        val (one, other) = checkNotNull(left.textOf(a)) to checkNotNull(right.textOf(b))
        if (one == other) return
        val type = left.dump.classOf(a).name
        val (unbroken, restarted) = excerpts(one, other)
        differences.add(spot, Texts.quoted(type, unbroken), Texts.quoted(type, restarted))
    }

    private fun pair(a: Int, b: Int, parent: Int, step: Int) {
        val partner = partners[a] - 1
        if (partner < 0) {
            partners[a] = pairs.add(a, b, parent, step) + 1
            return
        }
        if (pairs.right(partner) == b) return
        if (morePartners.size < left.dump.count && morePartners.add(a.toLong() shl 32 or b.toLong())) {
            pairs.add(a, b, parent, step)
            if (isArray(a) && isCertain(parent, step) && isCertain(pairs.parent(partner), pairs.step(partner))) {
                differences.addShared(Spot(parent, step), spotOf(partner))
            }
        }
    }

    private fun isCertain(parent: Int, step: Int) = parent != Pairs.ROOT || roots[step].isCertain

    private fun isArray(number: Int) = left.dump.kindOf(number) == ObjectKind.PRIMITIVES && left.dump.length(number) > 1

    private fun compareObjects(pair: Int) {
        val a = pairs.left(pair)
        val b = pairs.right(pair)
        when (left.dump.kindOf(a)) {
            ObjectKind.PRIMITIVES -> compareNumbers(pair, a, b)
            ObjectKind.REFERENCES -> compareElements(pair, a, b)
            ObjectKind.INSTANCE -> compareInstances(pair, a, b)
        }
    }

    private fun spotOf(pair: Int) = Spot(pairs.parent(pair), pairs.step(pair))

    private fun isSameLength(pair: Int, a: Int, b: Int): Boolean {
        val isSame = left.dump.length(a) == right.dump.length(b)
        if (!isSame) differences.add(spotOf(pair), left.describe(a), right.describe(b))
        return isSame
    }

    /** Eight bytes at a time, as most arrays are the same. */
    private fun compareNumbers(pair: Int, a: Int, b: Int) {
        if (!isSameLength(pair, a, b)) return
        val type = left.dump.elementType(a)
        val (one, other) = left.dump.elementsAt(a) to right.dump.elementsAt(b)
        val count = left.dump.length(a)
        val perWord = Long.SIZE_BYTES / type.size
        var first = -1
        var differing = 0L
        var index = 0
        while (index < count) {
            val at = index.toLong() * type.size
            if (index + perWord <= count && left.dump.bytes.long(one + at) == right.dump.bytes.long(other + at)) {
                index += perWord
                continue
            }
            for (single in index until minOf(index + perWord, count)) {
                val offset = single.toLong() * type.size
                if (type.bits(left.dump.bytes, one + offset) == type.bits(right.dump.bytes, other + offset)) continue
                if (first < 0) first = single
                differing++
            }
            index += perWord
        }
        if (first < 0) return
        val offset = first.toLong() * type.size
        val unbroken = type.text(type.bits(left.dump.bytes, one + offset))
        differences.add(Spot(pair, first), unbroken, type.text(type.bits(right.dump.bytes, other + offset)), differing)
    }

    private fun compareElements(pair: Int, a: Int, b: Int) {
        if (!isSameLength(pair, a, b)) return
        for (index in 0 until left.dump.length(a)) {
            compareReferences(left.dump.element(a, index), right.dump.element(b, index), pair, index)
        }
    }

    private fun compareInstances(pair: Int, a: Int, b: Int) {
        when (val form = left.shapeOf(a).form) {
            is ClassShape.Form.Holding -> compareContents(pair, form.content, a, b)
            ClassShape.Form.OfThread -> compareThreads(pair, left.threadValues(a), right.threadValues(b))
            ClassShape.Form.Suspended -> return compareSuspended(pair, a, b)
            else -> Unit
        }
        val fields = alikeFields(left.dump.classOf(a), right.dump.classOf(b))
        for (index in fields.steps.indices) compareField(pair, fields, index, a, b)
    }

    private fun compareField(pair: Int, fields: AlikeFields, index: Int, a: Int, b: Int) {
        val (field, other) = fields.left[index] to fields.others[index]
        compare(field.type, left.dump.bits(a, field), right.dump.bits(b, other), pair, fields.steps[index])
    }

    private fun alikeFields(one: HeapClass, other: HeapClass): AlikeFields {
        alike[one]?.takeIf { it.right === other }?.let { return it }
        val (fields, candidates) = left.shapes.of(one).fields to right.shapes.of(other).fields
        val others = candidates.associateBy { it.owner?.name to it.name }
        val both =
            fields
                .mapNotNull { field -> others[field.owner?.name to field.name]?.let { field to it } }
                .filter { (field, other) -> field.type == other.type }
                .sortedBy { (field) -> field.name }
        val steps = IntArray(both.size) { Pairs.stepOfField(one.fields.indexOf(both[it].first)) }
        val (mine, its) = both.unzip()
        return AlikeFields(other, steps, mine.toTypedArray(), its.toTypedArray()).also { alike[one] = it }
    }

    /** The local variables that are in use at the place where both wait, and what the function captured. */
    private fun compareSuspended(pair: Int, a: Int, b: Int) {
        val (mine, its) = left.dump.classOf(a) to right.dump.classOf(b)
        val slots = left.suspended.slotsOf(left.dump, a)
        val fields = alikeFields(mine, its)
        if (slots != null && left.dump.bits(a, LABEL) != right.dump.bits(b, LABEL)) {
            val (unbroken, restarted) = left.dump.bits(a, LABEL) to right.dump.bits(b, LABEL)
            return differences.add(spotOf(pair), "waits at place $unbroken", "waits at place $restarted")
        }
        for (index in fields.steps.indices) {
            val name = fields.left[index].name
            if (slots != null && SuspendedNames.isSlot(name) && name !in slots) continue
            if (name != LABEL && name != RESULT) compareField(pair, fields, index, a, b)
        }
    }

    private fun compareThreads(pair: Int, values: Map<String, Long>, others: Map<String, Long>) {
        val names = left.threadNames.values.sorted()
        for ((step, name) in names.withIndex()) {
            if (name !in right.threadNames.values) continue
            val (one, other) = values[name] to others[name]
            if (one != null && other != null) compareReferences(one, other, pair, step)
            if ((one == null) == (other == null)) continue
            val unbroken = one?.let(left::describe) ?: ABSENT
            differences.add(Spot(pair, step), unbroken, other?.let(right::describe) ?: ABSENT)
        }
    }

    private fun compareContents(pair: Int, content: Content, a: Int, b: Int) {
        val other = right.contentOf(b) ?: return
        val (mine, its) = content.of(left.dump, a) to other.of(right.dump, b)
        when {
            content.family != Content.Family.LIST -> compareKeys(pair, content, mine, its)
            mine.size != its.size -> differences.add(spotOf(pair), left.describe(a), right.describe(b))
            else -> mine.forEachIndexed { index, id -> compareReferences(id, its[index], pair, index) }
        }
    }

    /** Of a set or a map: texts and numbers that only one has are told, and other keys without a partner are paired in their order. */
    private fun compareKeys(pair: Int, content: Content, mine: LongArray, its: LongArray) {
        val width = if (content.family == Content.Family.MAP) 2 else 1
        val prints = LongArray(mine.size / width) { leftPrints.of(mine[it * width]) }
        val matching = ElementPairs(prints, LongArray(its.size / width) { rightPrints.of(its[it * width]) })
        val (texts, others) = matching.onlyLeft.partition { isText(left, mine[it * width]) }
        val (itsTexts, itsOthers) = matching.onlyRight.partition { isText(right, its[it * width]) }
        for ((one, other) in matching.pairs + others.zip(itsOthers)) {
            compareReferences(mine[one * width], its[other * width], pair, one * 2)
            if (width == 2) compareReferences(mine[one * 2 + 1], its[other * 2 + 1], pair, one * 2 + 1)
        }
        for (place in texts + others.drop(itsOthers.size)) {
            differences.add(spotOf(pair), "with ${left.describe(mine[place * width])}", "without it")
        }
        for (place in itsTexts + itsOthers.drop(others.size)) {
            differences.add(spotOf(pair), "without it", "with ${right.describe(its[place * width])}")
        }
        val hasOrder = content.order != Content.Order.WITHOUT_MEANING
        if (hasOrder && !matching.isSameOrder) tellOrder(pair, content, mine, its, width)
    }

    private fun tellOrder(pair: Int, content: Content, mine: LongArray, its: LongArray, width: Int) {
        val places = 0 until minOf(mine.size, its.size) / width
        val first = places.first { leftPrints.of(mine[it * width]) != rightPrints.of(its[it * width]) }
        val unbroken = "${left.describe(mine[first * width])} at place $first"
        val restarted = "${right.describe(its[first * width])} at place $first"
        val isOfHash = content.order == Content.Order.OF_HASH
        val spot = spotOf(pair)
        if (isOfHash) differences.addOrder(spot, unbroken, restarted) else differences.add(spot, unbroken, restarted)
    }

    private fun isText(side: Side, id: Long): Boolean {
        val number = side.dump.numberOf(id)
        return number == HeapDump.NONE || side.textOf(number) != null
    }

    private companion object {
        const val ABSENT = "no value"
        const val LABEL = "label"
        const val RESULT = "result"
    }
}
