package dev.cairn.heap

/** The differences of two heaps, grouped by the field of the program that explains them. */
internal class Differences(private val pairs: Pairs, private val left: Side, private val roots: List<Root>) {
    private val found = LinkedHashMap<Place, Found>()

    private enum class Kind { VALUE, ORDER, SHARED }

    /** A field of the program; or the root with this number, if no field of the program is on the way from there. */
    private data class Place(val kind: Kind, val owner: HeapClass?, val field: String, val root: Int)

    /** @property holder the pair whose field the place is; [Pairs.ROOT] if it is a root */
    private class Found(val spot: Spot, val holder: Int, val unbroken: String, val restarted: String, var count: Long)

    fun add(spot: Spot, unbroken: String, restarted: String, count: Long = 1) =
        add(Kind.VALUE, spot, unbroken, restarted, count)

    fun addOrder(spot: Spot, unbroken: String, restarted: String) = add(Kind.ORDER, spot, unbroken, restarted, 1)

    /** An array of which another part of the program has a copy; [first] is where it was found before. */
    fun addShared(spot: Spot, first: Spot) {
        val path = pathOf(first)
        add(Kind.SHARED, spot, "the array of $path", "another array than that of $path", 1)
    }

    /** The first one of a place is nearest to the roots. */
    private fun add(kind: Kind, spot: Spot, unbroken: String, restarted: String, count: Long) {
        val (place, holder) = placeOf(kind, spot)
        val known = found[place]
        if (known == null) found[place] = Found(spot, holder, unbroken, restarted, count) else known.count += count
    }

    private fun placeOf(kind: Kind, spot: Spot): Pair<Place, Int> {
        var (pair, step) = spot.pair to spot.step
        while (pair != Pairs.ROOT) {
            val field = fieldOf(pair, step)
            val owner = field?.owner
            if (owner != null && left.shapes.isProgram(owner)) return Place(kind, owner, field.name, 0) to pair
            step = pairs.step(pair)
            pair = pairs.parent(pair)
        }
        return Place(kind, null, "", step) to Pairs.ROOT
    }

    private fun fieldOf(pair: Int, step: Int): HeapField? =
        if (step < 0) left.dump.classOf(pairs.left(pair)).fields[Pairs.fieldOfStep(step)] else null

    fun findings(declarations: DeclaredState): List<Forgotten> =
        found.map { (place, found) ->
            val text = textOf(place, found.holder)
            val note =
                when (place.kind) {
                    Kind.ORDER -> Forgotten.Note.OrderOfHash
                    Kind.SHARED -> Forgotten.Note.NoLongerShared
                    Kind.VALUE -> declarations.noteOf(wayTo(found.spot).map(::edgeOf))
                }
            Forgotten(text, pathOf(found.spot), found.unbroken, found.restarted, found.count, note)
        }

    /** From the spot to a root. */
    private fun wayTo(spot: Spot): List<Spot> =
        generateSequence(spot) {
            if (it.pair ==
                Pairs.ROOT
            ) {
                null
            } else {
                Spot(pairs.parent(it.pair), pairs.step(it.pair))
            }
        }.toList()

    private fun edgeOf(spot: Spot): Edge =
        if (spot.pair == Pairs.ROOT) {
            Edge(0, roots[spot.step].place.substringAfterLast('.'))
        } else {
            Edge(left.dump.idOf(pairs.left(spot.pair)), fieldOf(spot.pair, spot.step)?.name.orEmpty())
        }

    private fun textOf(place: Place, holder: Int): String {
        val owner = place.owner ?: return roots[place.root].place
        val variable = suspendedName(holder, place.field) ?: return "${owner.shortName}.${place.field}"
        return "$LOCAL $variable of ${left.suspended.functionOf(owner)}"
    }

    private fun suspendedName(pair: Int, field: String): String? {
        val instance = pairs.left(pair)
        if (left.shapeOf(instance).form != ClassShape.Form.Suspended) return null
        return left.suspended.slotsOf(left.dump, instance)?.get(field) ?: field.removePrefix("$")
    }

    /** Long ways are cut in the middle. */
    private fun pathOf(spot: Spot): String {
        val way = wayTo(spot).asReversed()
        val steps = way.drop(1)
        val start = roots[way.first().step].path
        if (steps.size <= MOST_STEPS) return start + steps.joinToString("", transform = ::stepText)
        val half = MOST_STEPS / 2
        val left = steps.size - 2 * half
        return start + steps.take(half).joinToString("", transform = ::stepText) + " … $left steps … " +
            steps.takeLast(half).joinToString("", transform = ::stepText)
    }

    private fun stepText(spot: Spot): String {
        val holder = pairs.left(spot.pair)
        fieldOf(spot.pair, spot.step)?.let { return ".${suspendedName(spot.pair, it.name) ?: it.name}" }
        if (left.dump.kindOf(holder) != ObjectKind.INSTANCE) return "[${spot.step}]"
        return when (val form = left.shapeOf(holder).form) {
            ClassShape.Form.OfThread -> "[thread ${left.threadNames.values.sorted()[spot.step]}]"
            is ClassShape.Form.Holding -> elementText(form.content, form.content.of(left.dump, holder), spot.step)
            else -> "[${spot.step}]"
        }
    }

    private fun elementText(content: Content, held: LongArray, step: Int): String =
        when (content.family) {
            Content.Family.LIST -> "[$step]"
            Content.Family.SET -> "{${left.describe(held[step / 2])}}"
            Content.Family.MAP -> "[${left.describe(held[step - step % 2])}]" + if (step % 2 == 0) ".key" else ""
        }

    private companion object {
        const val MOST_STEPS = 16
    }
}
